/** Projects, with their logo and theme. */
import { z } from "zod";
import { identity, lastChange, present, uri, uuid } from "./formats";

export const logoImage = z.object({
  /** URL of the image. */
  fullPath: uri,
});
/** The image of a project's logo. */
export interface LogoImage extends z.infer<typeof logoImage> {}

export const skinInfo = z.object({
  /** Name of the theme in use. */
  themeChoiceType: z.string(),
});
/** The skin of a project. */
export interface SkinInfo extends z.infer<typeof skinInfo> {}

/** What a request can set. */
const settings = {
  /** Name of the project, 1 to 100 characters. */
  projectName: z.string().min(1).max(100),
  /** UUID of the logo image; null for none. */
  logoImageId: uuid.nullish(),
  /** Default message on the landing pages of the project, at most 500 characters; null for none. */
  defaultHookupMsg: z.string().max(500).nullish(),
};

export const createProject = z.strictObject(settings);
/** The request body that creates a project. */
export interface CreateProject extends z.infer<typeof createProject> {}

export const updateProject = createProject.partial();
/** The request body that updates a project: at least one field. Omitted fields are left unchanged. */
export interface UpdateProject extends z.infer<typeof updateProject> {}

export const project = z.object({
  ...identity,
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid,
  /** UUID of the user who created the project, in lower case. */
  createdByUserId: uuid,
  ...present(settings),
  /** Subdomain of the project's default domain; null if there is none. */
  subDomain: z.string().nullable(),
  /** The logo image; null if there is none. */
  logoImage: (logoImage as z.ZodType<LogoImage>).nullable(),
  /** The theme in use; null if the project has no skin. */
  skinInfo: (skinInfo as z.ZodType<SkinInfo>).nullable(),
  /** Whether the project has an Android application. */
  androidAppFlag: z.boolean(),
  /** Whether the project has an iOS application. */
  iosAppFlag: z.boolean(),
  ...lastChange,
});
/** A project, which owns applications, custom domains and links. */
export interface Project extends z.infer<typeof project> {}
