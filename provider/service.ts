/** The name and default URL of the service, and the settings whose names follow from them. */

/** The name of the service in messages, configuration keys and environment variables. */
export const SERVICE_NAME = "dynamiclink";

/** The default of `apiUrl`. As long as its host is under `.example`, it is a placeholder, and `apiUrl` must be set. */
export const DEFAULT_API_URL = `https://api.${SERVICE_NAME}.example`;

/** The namespace of this package's settings in a stack's configuration. */
export const CONFIGURATION_NAMESPACE = SERVICE_NAME;

const VARIABLE_PREFIX = SERVICE_NAME.toUpperCase();

/** The default of `apiKeyEnvVar`: the environment variable that contains the API key. */
export const API_KEY_VARIABLE = `${VARIABLE_PREFIX}_API_KEY`;

/** The environment variable with the file to which requests are logged. */
export const LOG_VARIABLE = `${VARIABLE_PREFIX}_LOG`;

/** The environment variable that turns on read-only mode. */
export const READ_ONLY_VARIABLE = `${VARIABLE_PREFIX}_READ_ONLY`;
