// The documents of the REST API: /openapi.json, /docs and /docs/errors, for anyone and without a
// token; / leads to them, and a browser to the dashboard.
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../app.ts'
import type { Settings } from '../../config.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { pageRoot } from '../../origins.ts'
import { pagePolicy } from '../../pages/html-document.ts'
import { wantsPage } from '../dashboard/dashboard-routes.ts'
import { docsPage, errorsDocsPage } from './html.ts'
import { openApiDocument } from './openapi.ts'
import { publish, publishAssets } from './static-document.ts'

/** `settings` is read at the first request: its roots may be moved to the port that was taken. */
export type DocumentParts = { settings: Settings; operations: readonly Operation[] }

const html = {
  type: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': pagePolicy(), 'X-Frame-Options': 'DENY' },
}

export function addDocuments(server: FastifyInstance, { settings, operations }: DocumentParts) {
  const leads = { '/docs/': '/docs', '/docs/errors/': '/docs/errors' }
  // One page has all operations.
  const parts = { '/docs/operations': '/docs', '/docs/operations/': '/docs' }
  for (const [path, place] of Object.entries({ ...leads, ...parts }))
    server.get(path, (_request, reply) => reply.redirect(`${settings.base_url}${place}`, 302))
  // Mails name the site, and where it is no place of its own, people arrive here.
  server.get('/', (request, reply) => {
    const place = wantsPage(request)
      ? `${pageRoot(settings)}/dashboard/`
      : `${settings.base_url}/docs`
    return reply.header('Vary', 'Accept').redirect(place, 302)
  })
  publishAssets(server)
  publish(server, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    write: () => JSON.stringify(openApiDocument(operations, settings), null, 1),
  })
  publish(server, '/docs', { ...html, write: () => docsPage(operations, settings) })
  publish(server, '/docs/errors', {
    ...html,
    write: () => errorsDocsPage(declaredFaults(), operations),
  })
}
