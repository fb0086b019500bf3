// The documents over HTTP: /openapi.json, /docs and /docs/errors, for anyone and without a token.
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../app.ts'
import type { Settings } from '../config.ts'
import { declaredFaults } from '../kit/fault.ts'
import { contentSecurityPolicy, docsPage, errorsDocsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

/** `settings` is read at the first request: its roots may be moved to the port that was taken. */
export type DocumentParts = { settings: Settings; operations: readonly Operation[] }

type Document = { type: string; headers: Record<string, string>; text: string }

const html = {
  type: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': contentSecurityPolicy },
}

export function addDocuments(server: FastifyInstance, { settings, operations }: DocumentParts) {
  publish(server, '/openapi.json', () => ({
    type: 'application/json; charset=utf-8',
    headers: { 'Access-Control-Allow-Origin': '*' },
    text: JSON.stringify(openApiDocument(operations, settings), null, 1),
  }))
  publish(server, '/docs', () => ({ ...html, text: docsPage(operations, settings) }))
  publish(server, '/docs/errors', () => ({
    ...html,
    text: errorsDocsPage(declaredFaults(), operations),
  }))
}

/** Written once, when first asked for. */
function publish(server: FastifyInstance, url: string, write: () => Document): void {
  let document: Document | undefined
  server.get(url, (_request, reply) => {
    document ??= write()
    const { type, headers, text } = document
    reply.headers({ 'Cache-Control': 'public, max-age=300', ...headers })
    return reply.type(type).send(text)
  })
}
