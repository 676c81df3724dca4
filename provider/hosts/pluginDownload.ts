/** The addresses of the repository: on the web, and of the releases from which Pulumi downloads the native plugin. */

interface WebAddress {
  readonly protocol: string;
  readonly host: string;
  readonly path: string;
}

/** The address of a repository on the web. Undefined if it has none. */
export function repositoryOnWeb(repository: string): WebAddress | undefined {
  const [, protocol, host, path] = /^(?:git\+)?(https?:)\/\/([^/]+)(\/.+?)(?:\.git)?$/.exec(repository) ?? [];
  if (protocol === undefined || host === undefined || path === undefined) return undefined;
  return { protocol, host, path };
}

/**
 * The address of the releases of a repository, in the form of `pluginDownloadURL`. Undefined if the repository has none
 * on the web, or only a placeholder.
 */
export function pluginDownloadUrl(repository: string): string | undefined {
  const address = repositoryOnWeb(repository);
  if (address === undefined || isPlaceholder(repository)) return undefined;
  const { protocol, host, path } = address;
  // With this scheme, Pulumi uses GITHUB_TOKEN, so that it can read private repositories.
  if (host === "github.com") return `github://api.github.com${path}`;
  // Pulumi replaces the variable.
  return `${protocol}//${host}${path}/releases/download/v\${VERSION}`;
}

export function isPlaceholder(address: string): boolean {
  return /\.example(?=[:/]|$)/.test(address);
}
