// Content negotiation at the two URLs that a start prints for programs: a browser gets a page that
// explains the endpoint, and every client gets the problem document.
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { html } from '../../kit/html.ts'
import { type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'
import { pageRoot } from '../../origins.ts'
import { wantsPage } from '../dashboard/dashboard-routes.ts'

/**
 * The page, or undefined for another path and for clients other than browsers. `status` is that of
 * the problem.
 */
export function endpointPage(
  settings: Settings,
  request: FastifyRequest,
  status: number,
): PageResponse | undefined {
  if (request.method !== 'GET' || !wantsPage(request)) return undefined
  const path = request.url.split('?')[0]?.replace(/\/$/, '')
  const headers = { Vary: 'Accept' }
  const root = pageRoot(settings)
  const endpoint = `${settings.mcp_url}/mcp`
  if (path === '/v1')
    return pageAnswer({
      status,
      title: 'The REST API',
      headers,
      body: html`<h1>The REST API</h1>
<p>This is the root of the REST API, for programs. The <a href="${root}/docs">documentation</a>
has its routes with examples; the <a href="${root}/dashboard/">dashboard</a> is the page for
people.</p>`,
    })
  if (path === new URL(endpoint).pathname)
    return pageAnswer({
      status,
      title: 'The MCP endpoint',
      headers,
      body: html`<h1>The MCP endpoint</h1>
<p>This is for MCP clients: give yours the URL <code>${endpoint}</code>.
<a href="${root}/dashboard/connect">Connect an agent</a> has the set-up of the usual clients.</p>`,
    })
  return undefined
}
