// What a client's metadata document may be, and where (draft-ietf-oauth-client-id-metadata-document
// sections 3 and 4).

import { parseJson } from '../../../kit/json.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { type ClientFields, ClientMetadataError, parseClientMetadata } from '../client-metadata.ts'

const mostIdLength = 2000

export type DocumentFields = ClientFields & { client_id: string }

/**
 * Where a client_id may be the URL of a document: undefined, or the words why not. Written in its
 * normal form, so that what is shown to the owner is what is asked; no IP addresses, no other port.
 */
export function parseDocumentUrl(clientId: string, port = 443): URL | string {
  const url = clientId.length <= mostIdLength ? URL.parse(clientId) : null
  if (url?.protocol !== 'https:' || url.href !== clientId)
    return 'client_id must be an https URL in its normal form, with a path'
  if (url.username !== '' || url.password !== '') return 'client_id must not name a user'
  if (url.hash !== '' || url.search !== '' || /[?#]$/.test(clientId))
    return 'client_id must not have a query or a fragment'
  if (parseHost(url.hostname) !== url.hostname || !url.hostname.includes('.'))
    return 'client_id must have a host name of the Internet'
  if (Number(url.port || 443) !== port) return 'client_id must not have a port'
  return url
}

/** The client that the document describes. Throws ClientRefused. */
export function parseMetadataDocument(bytes: Uint8Array, clientId: string): DocumentFields {
  const answer = parseJson(bytes)
  if ('problem' in answer) throw refused('it is not valid JSON')
  const fields = parseClientMetadata(answer.value, ['none'])
  const said: Record<string, unknown> = Object(answer.value)
  // Simple string comparison (section 3): not as URLs.
  if (said.client_id !== clientId) throw refused('its client_id is not its URL')
  // Null is as good as none.
  if (said.client_secret != null || said.client_secret_expires_at != null)
    throw refused('it has a client_secret, which a public document cannot keep')
  return { ...fields, client_id: clientId }
}

function refused(words: string): ClientMetadataError {
  return new ClientMetadataError('invalid_client_metadata', words)
}
