// The documents of the REST API, /openapi.json and the pages of /docs, are for anyone and need no
// token. / leads to them, and leads a browser to the dashboard.
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { pageRoot } from '../../origins.ts'
import { pagePolicy } from '../../pages/html-document.ts'
import { wantsPage } from '../dashboard/dashboard-routes.ts'
import { openApiDocument } from './openapi.ts'
import { sitePage, sitePaths } from './site/site-map.ts'
import { publish, publishAssets } from './static-document.ts'

/**
 * `settings` is read at the first request, because its roots may be moved to the port that was
 * taken.
 */
type DocumentParts = { settings: Settings; operations: readonly Operation[] }

const html = {
  type: 'text/html; charset=utf-8',
  headers: {
    'Content-Security-Policy': pagePolicy({ script_sources: ["'self'"] }),
    'X-Frame-Options': 'DENY',
  },
}

export function addDocuments(server: FastifyInstance, { settings, operations }: DocumentParts) {
  for (const path of sitePaths(operations)) {
    publish(server, path, { ...html, write: () => sitePage(path, { settings, operations }) })
    server.get(`${path}/`, (_request, reply) => reply.redirect(`${settings.base_url}${path}`, 302))
  }
  // Mails name the site, and where that is this server, people arrive here.
  server.get('/', (request, reply) => {
    const place = wantsPage(request)
      ? `${pageRoot(settings)}/dashboard/`
      : `${settings.base_url}/docs`
    const headers = { Vary: 'Accept', Link: linksOf(settings) }
    return reply.headers(headers).redirect(place, 302)
  })
  publishAssets(server)
  publish(server, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    write: () => JSON.stringify(openApiDocument(operations, settings), null, 1),
  })
}

/** A program that knows only the root finds its documents here (RFC 8288, RFC 8631). */
function linksOf({ base_url, site_url }: Settings): string {
  return [
    `<${site_url}/llms.txt>; rel="service-doc"; type="text/plain"`,
    `<${base_url}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${site_url}/.well-known/mcp.json>; rel="service-meta"; type="application/json"`,
  ].join(', ')
}
