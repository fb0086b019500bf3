// security.txt (RFC 9116) names the contact for reports of vulnerabilities of the service.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { publicUrls } from '../../origins.ts'

const day_ms = 86_400_000
/**
 * The days are fewer than a year, so that no copy is believed for long (RFC 9116 section 2.5.5).
 */
const valid_days = 180

export function addSecurityTxt(server: FastifyInstance, { settings }: { settings: Settings }) {
  server.get('/.well-known/security.txt', async (_request, reply) => {
    reply.headers({ 'Cache-Control': 'public, max-age=86400', 'Access-Control-Allow-Origin': '*' })
    return reply.type('text/plain; charset=utf-8').send(securityTxt(settings, systemClock.now()))
  })
}

/** Without an address in the settings the contact is the owners' page of support. */
function securityTxt(settings: Settings, now: Date): string {
  const address = settings.abuse_contact ?? settings.support_email
  const page = `${publicUrls(settings).dashboard_url}/support`
  const expires = new Date(now.getTime() + valid_days * day_ms)
  return [
    `Contact: ${address === null ? page : `mailto:${address}`}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${settings.base_url}/.well-known/security.txt`,
    '',
  ].join('\n')
}
