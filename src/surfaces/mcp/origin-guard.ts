// Who may reach the MCP endpoint from a browser: Host and Origin are checked against DNS rebinding
// (MCP transports).
import { validateHostHeader } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config.ts'
import { fault } from '../../kit/fault.ts'

export const foreignHost = fault('foreign_host', 'misdirected', {
  sentence: 'The Host header names none of our hosts.',
  hint: 'Call the MCP endpoint at the URL that its metadata shows.',
})
export const foreignOrigin = fault('foreign_origin', 'forbidden', {
  sentence: 'Web pages of other origins may not call the MCP endpoint.',
  hint: 'Call it from a program, or from a page of our own origin.',
  next: 'fix_request',
})

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Throws foreign_host (421) or foreign_origin (403). A request without Origin is no browser's and
 * passes.
 */
export function guardOf(settings: Settings): (request: FastifyRequest) => void {
  const ours = [settings.mcp_url, settings.base_url, settings.site_url].map((url) => new URL(url))
  const local = [settings.host, `[${settings.host}]`, ours[0]?.hostname].some(
    (host) => host !== undefined && loopback.includes(host),
  )
  const hosts = [...ours.map(({ hostname }) => hostname), ...(local ? loopback : [])]
  const origins = new Set(ours.map(({ origin }) => origin))

  function isOurs(origin: string, port: number | undefined): boolean {
    if (origins.has(origin)) return true
    return local && loopback.some((host) => origin === `http://${host}:${port}`)
  }

  return ({ headers, socket }) => {
    if (!validateHostHeader(headers.host, hosts).ok) throw foreignHost()
    // The port that was reached stands for PORT=0, too.
    if (headers.origin !== undefined && !isOurs(headers.origin, socket.localPort))
      throw foreignOrigin()
  }
}
