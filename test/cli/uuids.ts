/** UUIDs of objects in the tests of the commands. */
export const SHOP = "0c0c0c0c-0000-4000-8000-000000000001";
export const MARKET = "0c0c0c0c-0000-4000-8000-000000000002";
/** A project of another organization. */
export const FOREIGN = "0c0c0c0c-0000-4000-8000-00000000000f";
export const WEB = "0d0d0d0d-0000-4000-8000-000000000001";
export const IOS = "0d0d0d0d-0000-4000-8000-000000000002";
export const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000001";
/** No object has it. */
export const ABSENT = "0f0f0f0f-0000-4000-8000-00000000000f";
