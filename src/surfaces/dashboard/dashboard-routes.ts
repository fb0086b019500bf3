// Single-page application: serves the dashboard's bundle with hashed, precompressed files, and its
// one page for every path below /dashboard/ that a browser opens.
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { routeNotFound } from '../../errors/faults.ts'
import { html } from '../../kit/html.ts'
import { type PageResponse, pageAnswer } from '../../oauth/shared/page-layout.ts'
import { movedPageRoot } from '../../origins.ts'
import { bundleFolder, type DashboardBuild } from './dashboard-build.ts'

/** The policy allows no inline scripts or styles, and nothing of other origins. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

/** A service worker has a policy of its own. Ours loads nothing. */
const workerPolicy = "default-src 'none'"

const assetPath = /^assets\/[\w-][\w.-]*$/
/** The service worker. The pages of its scope are below its path. */
const workerFile = 'push-worker.js'
/** Matches the name of a file. No page has such a name, except that of a domain. */
const isFile = /^assets\/|^[^/]+\.(?:json|js|css|map|br|gz)$/
const assetFile = /[\\/]assets[\\/][^\\/]+$/
const keptForever = 'public, max-age=31536000, immutable'

type Parts = { settings: Settings; build: Pick<DashboardBuild, 'state'> }

/**
 * Adds the dashboard. Register it in a scope of its own. `settings` is read at each request,
 * because its port may change.
 */
export function addDashboard(server: FastifyInstance, { settings, build }: Parts): void {
  server.register(fastifyStatic, {
    root: bundleFolder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // A missing file does not get these, because its answer is a problem document. Names of assets
    // have a hash.
    setHeaders: (reply, file) =>
      reply.header('Cache-Control', assetFile.test(file) ? keptForever : 'no-cache'),
  })
  server.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308))
  server.get<{ Params: { '*': string } }>('/dashboard/*', (request, reply) => {
    const path = request.params['*']
    if (assetPath.test(path)) return reply.sendFile(path)
    if (path === workerFile && build.state === 'ready')
      return reply.header('Content-Security-Policy', workerPolicy).sendFile(path)
    if (isFile.test(path) || !takesPage(request)) throw routeNotFound()
    const moved = movedPageRoot(settings, request.headers.host ?? '')
    if (moved !== null) return reply.header('Vary', 'Accept').redirect(moved + request.url, 302)
    if (build.state !== 'ready') return sendPage(reply, pageOf(build.state))
    return reply
      .headers({ 'Content-Security-Policy': policy, 'X-Frame-Options': 'DENY' })
      .sendFile('index.html')
  })
}

/** Whether a request takes a page, or anything: below /dashboard there are only pages. */
function takesPage(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '*/*'
  return wantsPage(request) || (/\*\/\*/.test(accept) && !/json/i.test(accept))
}

/** Whether a browser opens a page. API clients accept anything, or JSON. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '')
}

function sendPage(reply: FastifyReply, { status, headers, body }: PageResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** The page for a bundle that is missing or being built. */
function pageOf(state: Exclude<DashboardBuild['state'], 'ready'>): PageResponse {
  if (state === 'building')
    return pageAnswer({
      status: 503,
      title: 'The dashboard is being built',
      body: html`<h1>The dashboard is being built</h1>
<p role="status">This takes a few seconds after an update, and the page then reloads itself. The API
answers already.</p>`,
      headers: { 'Retry-After': '2', Refresh: '2' },
    })
  return pageAnswer({
    status: 503,
    title: 'The dashboard is not built',
    body:
      state === 'failed'
        ? html`<h1>The dashboard is not built</h1>
<p role="alert">Its build failed. The log of the service shows why; the API is not affected.</p>`
        : html`<h1>The dashboard is not built</h1>
<p role="alert">The packages that build it are not installed. The API is not affected.</p>
<p>Run this in the folder of the service, then start it again:</p>
<pre><code>npm ci --include=dev</code></pre>`,
  })
}
