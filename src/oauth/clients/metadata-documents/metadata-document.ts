// Validates the URL and the contents of a client metadata document
// (draft-ietf-oauth-client-id-metadata-document sections 3 and 4).

import { parseJson } from '../../../kit/json.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { type ClientFields, ClientMetadataError, parseClientMetadata } from '../client-metadata.ts'

const mostIdLength = 2000

export type DocumentFields = ClientFields & { client_id: string }

/**
 * The URL of a document, or the words why the client_id is not one. The URL is in its normal form,
 * so that the one that is shown to the owner is the one that is fetched, and has no IP address and
 * no other port.
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

/** The client that the document describes. Throws ClientMetadataError. */
export function parseMetadataDocument(bytes: Uint8Array, clientId: string): DocumentFields {
  const parsed = parseJson(bytes)
  if ('problem' in parsed) throw invalid('it is not valid JSON')
  const fields = parseClientMetadata(parsed.value, ['none'])
  const document: Record<string, unknown> = Object(parsed.value)
  // This is a simple comparison of strings (section 3), not one of URLs.
  if (document.client_id !== clientId) throw invalid('its client_id is not its URL')
  // Null means that the field is absent.
  if (document.client_secret != null || document.client_secret_expires_at != null)
    throw invalid('it has a client_secret, which a public document cannot keep')
  return { ...fields, client_id: clientId }
}

function invalid(words: string): ClientMetadataError {
  return new ClientMetadataError('invalid_client_metadata', words)
}
