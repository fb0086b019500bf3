// Discovery: from the URL of the service to the endpoints of its authorization server, by the
// metadata of the protected resource (RFC 9728) and of the server (RFC 8414).
import { exitCodes, Failure } from '../failure.ts'
import { getJson, textIn } from './request.ts'

export type Endpoints = {
  registration: string
  device_authorization: string
  token: string
  revocation: string | null
  /** The MCP endpoint, which is a separate audience. */
  mcp: string | null
  scopes: string[]
}

export async function discover(url: string): Promise<Endpoints> {
  const { mcp, issuer } = await resourceOf(url)
  const at = metadataUrl(issuer)
  const { status, body } = await getJson(at)
  // RFC 8414 section 3.3: the metadata of another issuer would lead the log-in elsewhere.
  if (status !== 200 || body.issuer !== issuer)
    throw noLogIn(url, `${at} is not the metadata of ${issuer}`)
  const need = (name: string) => {
    const found = textIn(body, name)
    if (found === null) throw noLogIn(url, `its metadata names no ${name}`)
    return found
  }
  const { scopes_supported } = body
  return {
    registration: need('registration_endpoint'),
    device_authorization: need('device_authorization_endpoint'),
    token: need('token_endpoint'),
    revocation: textIn(body, 'revocation_endpoint'),
    mcp,
    scopes: Array.isArray(scopes_supported) ? scopes_supported.map(String) : [],
  }
}

/** The MCP endpoint of a service, or the usual path if its metadata names none. */
export async function mcpEndpoint(url: string): Promise<string> {
  return (await resourceOf(url)).mcp ?? `${url}/mcp`
}

async function resourceOf(url: string): Promise<{ mcp: string | null; issuer: string }> {
  const { body } = await getJson(`${url}/.well-known/oauth-protected-resource`)
  const servers = Array.isArray(body.authorization_servers) ? body.authorization_servers : []
  return { mcp: textIn(body, 'resource'), issuer: String(servers[0] ?? url).replace(/\/$/, '') }
}

/** RFC 8414 section 3.1: the well-known part goes between the host and the path. */
function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
}

function noLogIn(url: string, why: string): Failure {
  const what = `${url} does not support log-in with a device code`
  return new Failure(exitCodes.refused, `${what}: ${why}`, {
    next: 'agent-registrar login --api-key - (with an API key on standard input)',
  })
}
