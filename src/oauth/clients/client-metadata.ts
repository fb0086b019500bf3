// Validates client metadata, from a registration (RFC 7591 section 2) or a metadata document. The
// list of fields is closed. All others are ignored, so no URL that a client names is ever loaded.

import { normalizeName } from '../shared/display-name.ts'
import { type authMethods, deviceGrant, idTokenAlgorithms } from '../shared/endpoints.ts'
import { maxRedirectUris, maxUriLength, parseRedirectUri } from './redirect-uris.ts'

export const maxNameLength = 200
/** The grant types of a client that names none. */
const usualGrantTypes = ['authorization_code', 'refresh_token']
const grantTypes = [...usualGrantTypes, deviceGrant]

type ClientAuthMethod = (typeof authMethods)[number]
export type ClientFields = {
  client_name?: string
  redirect_uris: string[]
  grant_types: string[]
  /** It is empty for a client that has the device flow alone. */
  response_types: 'code'[]
  application_type: 'native' | 'web'
  token_endpoint_auth_method: ClientAuthMethod
  /**
   * The algorithm is stored if we sign with it; otherwise the response names the one that we use.
   */
  id_token_signed_response_alg?: (typeof idTokenAlgorithms)[number]
  /** Links for people, which are stored if they are https. Neither we nor our pages load them. */
  client_uri?: string
  logo_uri?: string
  policy_uri?: string
  tos_uri?: string
}

/** Why a client is rejected. The words are ASCII without quotes (RFC 6749 section 5.2). */
export class ClientMetadataError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(code: ClientMetadataError['code'], words: string) {
    super(words)
    this.name = 'ClientMetadataError'
    this.code = code
  }
}

/**
 * The fields that we keep. `methods`: the authentication methods at the token endpoint that the
 * client may choose. Throws ClientMetadataError.
 */
export function parseClientMetadata(
  metadata: unknown,
  methods: readonly ClientAuthMethod[],
): ClientFields {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw invalid('The metadata must be a JSON object')
  // Null means absent: some clients send every field that they know.
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== null),
  )
  const grant_types = parseGrantTypes(given)
  const redirected = grant_types.includes('authorization_code')
  const redirects = redirected ? parseRedirectUris(given.redirect_uris) : noRedirects
  const name = parseName(given.client_name)
  if (redirected && !stringList(given, 'response_types', ['code']).includes('code'))
    throw invalid('response_types must have code: nothing else is supported')
  return {
    ...(name === '' ? {} : { client_name: name }),
    redirect_uris: redirects.uris,
    grant_types,
    response_types: redirected ? ['code'] : [],
    // The redirect URIs decide this, whatever the client declares, because the loopback port of a
    // native client may vary.
    application_type: redirects.native ? 'native' : 'web',
    token_endpoint_auth_method: parseAuthMethod(given, methods),
    ...parseAlgorithm(given),
    ...parseLinks(given),
  }
}

function parseAlgorithm({ id_token_signed_response_alg: asked }: Record<string, unknown>) {
  const found = idTokenAlgorithms.find((one) => one === asked)
  return found === undefined ? {} : { id_token_signed_response_alg: found }
}

/**
 * The redirect URIs of a client that has the device flow alone: those that it sends are ignored.
 */
const noRedirects = { uris: [], native: true }

function parseRedirectUris(value: unknown): { uris: string[]; native: boolean } {
  if (!Array.isArray(value) || value.length === 0)
    throw new ClientMetadataError(
      'invalid_redirect_uri',
      'redirect_uris must list at least one URI',
    )
  if (value.length > maxRedirectUris)
    throw new ClientMetadataError(
      'invalid_redirect_uri',
      `redirect_uris must not list more than ${maxRedirectUris} URIs`,
    )
  const uris = new Set<string>()
  let native = false
  for (const [index, one] of value.entries()) {
    const result = parseRedirectUri(one)
    if (result.kind === 'refused')
      throw new ClientMetadataError('invalid_redirect_uri', `redirect_uris[${index}] ${result.why}`)
    if (result.kind !== 'web') native = true
    uris.add(result.uri)
  }
  return { uris: [...uris], native }
}

function parseName(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid('client_name must be a text')
  const name = normalizeName(value)
  if (name.length > maxNameLength)
    throw invalid(`client_name must not be longer than ${maxNameLength} characters`)
  return name
}

/**
 * The requested types that we support (RFC 7591 section 3.2.1 lets us replace the others). The
 * default includes refresh tokens.
 */
function parseGrantTypes(given: Record<string, unknown>): string[] {
  const asked = stringList(given, 'grant_types', usualGrantTypes)
  if (!asked.includes('authorization_code') && !asked.includes(deviceGrant))
    throw invalid(
      `grant_types must have authorization_code or ${deviceGrant}; ` +
        `supported: ${grantTypes.join(', ')}`,
    )
  return grantTypes.filter((type) => asked.includes(type))
}

function stringList(given: Record<string, unknown>, field: string, otherwise: string[]): string[] {
  const value = given[field]
  if (value === undefined) return otherwise
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw invalid(`${field} must be a list of texts`)
  return value
}

function parseAuthMethod(
  given: Record<string, unknown>,
  methods: readonly ClientAuthMethod[],
): ClientAuthMethod {
  // The default of RFC 7591 is client_secret_basic, but clients on users' machines cannot keep a
  // secret, and few of them declare that.
  const { token_endpoint_auth_method: asked = 'none' } = given
  const method = methods.find((one) => one === asked)
  if (method === undefined)
    throw invalid(`token_endpoint_auth_method must be one of: ${methods.join(', ')}`)
  return method
}

const linkFields = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const

function parseLinks(given: Record<string, unknown>): Partial<ClientFields> {
  const kept: Partial<ClientFields> = {}
  for (const field of linkFields) {
    const value = given[field]
    const url = typeof value === 'string' ? URL.parse(value) : null
    const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
    if (plain && url.href.length <= maxUriLength) kept[field] = url.href
  }
  return kept
}

function invalid(words: string): ClientMetadataError {
  return new ClientMetadataError('invalid_client_metadata', words)
}
