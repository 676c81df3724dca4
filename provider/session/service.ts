/** What this package calls the service: the one place to change when its real name and origin are set. */

/** The name of the service in messages, configuration and environment. */
export const SERVICE_NAME = "dynamiclink";

/** Where the service is, unless `apiUrl` says otherwise. */
export const DEFAULT_API_URL = `https://api.${SERVICE_NAME}.example`;

/** The namespace of this package's settings in a stack's configuration. */
export const CONFIGURATION_NAMESPACE = SERVICE_NAME;

const VARIABLE_PREFIX = SERVICE_NAME.toUpperCase();

/** The environment variable that holds the API key, unless `apiKeyEnvVar` names another. */
export const API_KEY_VARIABLE = `${VARIABLE_PREFIX}_API_KEY`;

/** The environment variable that turns on read-only mode. */
export const READ_ONLY_VARIABLE = `${VARIABLE_PREFIX}_READ_ONLY`;
