/** The theme of a project's landing page. */
import { z } from "zod";
import { dateTime, orOther, uuid } from "./formats";
import { project } from "./project";

/** The kinds of theme. */
export const themeType = z.enum(["basic", "custom"]);
/** The kind of theme of a landing page. */
export type ThemeType = z.infer<typeof themeType>;

/** The themes. */
export const themeChoiceType = z.enum([
  "default",
  "dark_blur",
  "light_blur",
  "geometric",
  "white_circle",
  "black_circle",
  "dark",
  "light",
  "grey",
  "black",
]);
/** The theme of a landing page. */
export type ThemeChoiceType = z.infer<typeof themeChoiceType>;

export const saveSkin = z.strictObject({
  /** Kind of theme: `basic` or `custom`. */
  themeType: themeType,
  /** The theme. */
  themeChoiceType: themeChoiceType,
});
/** The request body that sets a project's theme. */
export interface SaveSkin extends z.infer<typeof saveSkin> {}

export const skin = z.object({
  /** UUID of the skin, in lower case. */
  id: uuid,
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid,
  /** UUID of the project, in lower case. */
  projectId: uuid,
  /** Kind of theme: `basic` or `custom`. The service may add others. */
  themeType: orOther(themeType),
  /** The theme. The service may add others. */
  themeChoiceType: orOther(themeChoiceType),
  /** Default landing message, at most 500 characters; null if there is none. It is set on the project. */
  defaultHookupMsg: project.shape.defaultHookupMsg,
  /** When the skin was created, as an ISO 8601 date and time. */
  createdAt: dateTime,
  /** When the skin was last changed, as an ISO 8601 date and time. */
  updatedAt: dateTime,
});
/** The theme of a project's landing page. */
export interface Skin extends z.infer<typeof skin> {}
