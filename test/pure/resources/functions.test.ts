/** The arguments of functions are checked as the inputs of resources are. */
import { z } from "zod";
import { uuid } from "../../../provider/client/model/formats";
import { checkedArguments, FUNCTIONS } from "../../../provider/resources/functions";

const ID = "0c0c0c0c-0000-4000-8000-000000000003";
const LOOKUP = { ...FUNCTIONS.getLink, args: { id: uuid, limit: z.int().min(1).max(100).optional() } };

test("arguments of any type are returned in canonical form", () => {
  const values = { id: ID.toUpperCase(), limit: 5 };
  expect(checkedArguments("getLinks", LOOKUP, values)).toEqual({ id: ID, limit: 5 });
  expect(checkedArguments("getLinks", LOOKUP, { id: ID })).toEqual({ id: ID });
});

test("all that is wrong with them is reported, with the nearest name", () => {
  const check = () => checkedArguments("getLinks", LOOKUP, { limit: 0, Limit: 5 });
  const lines = ["id is required: a UUID", "limit must be a whole number from 1 to 100"];
  const unknown = "Limit is not an argument; allowed: id, limit; did you mean limit?";
  expect(check).toThrow([...lines, unknown].map((line) => `getLinks: ${line}`).join("\n"));
});
