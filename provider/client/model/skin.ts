/** The theme of a project's landing page. */
import { z } from "zod";
import { identity, lastChange, orOther, parents } from "./formats";
import { project } from "./project";

export const themeType = z.enum(["basic", "custom"]);
/** The kind of theme of a landing page. */
export type ThemeType = z.infer<typeof themeType>;

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
  themeType,
  /** The theme. */
  themeChoiceType,
});
/** The request body that sets a project's theme. */
export interface SaveSkin extends z.infer<typeof saveSkin> {}

export const skin = z.object({
  ...identity,
  ...parents,
  /** Kind of theme: `basic` or `custom`. The service may add others. */
  themeType: orOther(themeType),
  /** The theme. The service may add others. */
  themeChoiceType: orOther(themeChoiceType),
  /** Default landing message, at most 500 characters; null if there is none. It is set on the project. */
  defaultHookupMsg: project.shape.defaultHookupMsg,
  ...lastChange,
});
/** The theme of a project's landing page. */
export interface Skin extends z.infer<typeof skin> {}
