// The routes of the server, which distinguish a wrong method (405) from a wrong path (404).
import type { FastifyInstance } from 'fastify'

export type Route = { method: string; pattern: RegExp }

/** Collects the routes of a server as they are added. */
export function collectRoutes(server: FastifyInstance): Route[] {
  const routes: Route[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const exact = url.replaceAll('.', '\\.').replaceAll('*', '.*')
    const pattern = new RegExp(`^${exact.replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) routes.push({ method: one, pattern })
  })
  return routes
}
