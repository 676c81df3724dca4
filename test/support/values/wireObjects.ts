/** Objects as the service sends them. */
import { fromWire } from "../../../testing/emulator/wire/wire";

export const ORGANIZATION = "11111111-1111-4111-8111-111111111111";
export const PROJECT = "22222222-2222-4222-8222-222222222222";
export const APPLICATION = "33333333-3333-4333-8333-333333333333";
export const DOMAIN = "44444444-4444-4444-8444-444444444444";
export const LINK = "55555555-5555-4555-8555-555555555555";
export const OTHER = "66666666-6666-4666-8666-666666666666";

const AT = "2025-01-02T03:04:05.000Z";

export const wireCredential = {
  id: OTHER,
  organization_id: ORGANIZATION,
  key_prefix: "abcdef",
  scopes: ["projects:read", "projects:write"],
};

export const wireProject = {
  id: PROJECT,
  organization_id: ORGANIZATION,
  created_by_user_id: OTHER,
  project_name: "Shop",
  logo_image_id: null,
  sub_domain: "shop",
  default_hookup_msg: null,
  logo_image: null,
  skin_info: { theme_choice_type: "dark" },
  android_app_flag: false,
  ios_app_flag: true,
  created_at: AT,
  updated_at: AT,
};

export const project = fromWire(wireProject);

export const wireApplication = {
  id: APPLICATION,
  project_id: PROJECT,
  app_type: "IOS",
  apple_info: { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop", app_id: null },
  android_info: null,
  created_at: AT,
  updated_at: null,
};

export const wireDomain = {
  id: DOMAIN,
  organization_id: ORGANIZATION,
  project_id: PROJECT,
  hostname: "go.shop.example",
  lifecycle_status: "PENDING_DNS",
  retry_count: 0,
  created_at: AT,
  updated_at: AT,
};
