// Public documents over HTTP, which any origin may GET and HEAD without a token. Each is written
// once, and clients that have it get 304.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { declaredAssets } from '../../pages/static-asset.ts'
import { Encoded } from '../rest/content-coding.ts'

type PublicDocument<Variant extends string = ''> = {
  type: string
  /**
   * Writes the document when it is first read, because the roots may be moved to the port that was
   * taken.
   */
  write: (variant: Variant) => string
  headers?: Readonly<Record<string, string>>
}

type Varied<Variant extends string> = PublicDocument<Variant> & {
  /**
   * The form that a reader gets. `headers` must name in Vary the header fields that it looks at.
   */
  variantOf: (headers: IncomingHttpHeaders) => Variant
}
type Written = { encoded: Encoded; digest: string }

/** A document with one form. */
export function publish(server: FastifyInstance, url: string, document: PublicDocument): void {
  publishVaried(server, url, { ...document, variantOf: () => '' })
}

/** Publishes the styles, scripts and icons of the pages. Their names have a hash. */
export function publishAssets(server: FastifyInstance): void {
  for (const { path, type, text } of declaredAssets())
    publish(server, path, {
      type,
      write: () => text,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    })
}

export function publishVaried<Variant extends string>(
  server: FastifyInstance,
  url: string,
  document: Varied<Variant>,
): void {
  const forms = new Map<Variant, Written>()
  const vary = [document.headers?.Vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  server.get(url, async (request, reply) => {
    const variant = document.variantOf(request.headers)
    const written = forms.get(variant) ?? withTag(document.write(variant))
    forms.set(variant, written)
    const coding = written.encoded.codingFor(request.headers['accept-encoding']?.toString())
    // The tag is that of these octets, because the same document in another coding is another
    // representation.
    const etag = `"${written.digest}${coding === 'identity' ? '' : `-${coding}`}"`
    open(reply).headers({
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Expose-Headers': 'ETag',
      ...document.headers,
      ETag: etag,
      Vary: vary,
    })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (coding !== 'identity') reply.header('Content-Encoding', coding)
    return reply.type(document.type).send(await written.encoded.octets(coding))
  })
  // Browsers ask first, because MCP clients add a header of their own.
  server.options(url, (_request, reply) =>
    open(reply)
      .header('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
      .header('Access-Control-Allow-Headers', '*')
      .header('Access-Control-Max-Age', '86400')
      .code(204)
      .send(),
  )
}

function open(reply: FastifyReply): FastifyReply {
  return reply.header('Access-Control-Allow-Origin', '*')
}

/**
 * The document is bytes, because Fastify adds a charset to the media type of a text, and JSON has
 * none.
 */
function withTag(text: string): Written {
  const digest = createHash('sha256').update(text).digest('base64url')
  return { encoded: new Encoded(Buffer.from(text)), digest: digest.slice(0, 22) }
}

/**
 * Tags are compared weakly (RFC 9110 section 13.1.2), because a proxy that compresses makes a tag
 * weak.
 */
function isKnown(condition: string | undefined, etag: string): boolean {
  const tags = condition?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
