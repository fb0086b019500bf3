// The URL to which a 401 leads: the metadata of the protected resource that has answered it.

/**
 * The URL of the metadata of a protected resource (RFC 9728 section 3.1: the path comes after the
 * well-known part).
 */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}
