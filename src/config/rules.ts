// Rules of settings that concern more than one of them.
import { SettingError } from './readers.ts'

type Related = {
  environment: 'sandbox' | 'production'
  crash_at: string | null
  dns_adapter: 'embedded' | 'powerdns'
  powerdns_url: string | null
  powerdns_api_key: string | null
  smtp_url: string | null
  mail_from: string | null
  terms_url: string | null
  terms_version: string | null
  allow_loopback_webhooks: boolean
  events_kept_days: number
  deliveries_kept_days: number
  vapid_private_key: object | null
  vapid_subject: string | null
}

/** Throws SettingError for settings that contradict each other. */
export function requireConsistent(all: Related): void {
  if (all.environment === 'production' && all.crash_at)
    throw new SettingError('CRASH_AT', 'is for tests; it cannot be set in production')
  if (all.dns_adapter === 'powerdns' && (!all.powerdns_url || !all.powerdns_api_key))
    throw new SettingError(
      all.powerdns_url ? 'POWERDNS_API_KEY' : 'POWERDNS_URL',
      'must be set for DNS_ADAPTER=powerdns',
    )
  if (all.environment === 'production' && all.smtp_url && !all.mail_from)
    throw new SettingError('MAIL_FROM', 'must be set where SMTP_URL is: an address of your own')
  if (all.environment === 'production' && all.allow_loopback_webhooks)
    throw new SettingError('ALLOW_LOOPBACK_WEBHOOKS', 'cannot be true in production')
  if (all.deliveries_kept_days > all.events_kept_days)
    throw new SettingError('DELIVERIES_KEPT_DAYS', 'cannot be greater than EVENTS_KEPT_DAYS')
  if ((all.vapid_private_key === null) !== (all.vapid_subject === null))
    throw new SettingError(
      all.vapid_subject === null ? 'VAPID_SUBJECT' : 'VAPID_PRIVATE_KEY',
      'must be set, as web push needs both a key and a subject',
    )
  if ((all.terms_url === null) !== (all.terms_version === null))
    throw new SettingError(
      all.terms_url === null ? 'TERMS_URL' : 'TERMS_VERSION',
      'must be set, as terms need both a URL and a version',
    )
}

/** An address as a URL's host: IPv6 is in brackets, and "every address" becomes loopback. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

type Roots = { host: string; port: number; base_url: string; mcp_url: string; site_url: string }

/** The settings with their roots moved to the port that was really opened (PORT=0). */
export function onPort<S extends Roots>(settings: S, port: number): S {
  const old = `http://${hostInUrl(settings.host)}:${settings.port}`
  const now = `http://${hostInUrl(settings.host)}:${port}`
  const moved = (url: string) => (url === old ? now : url)
  return {
    ...settings,
    port,
    base_url: moved(settings.base_url),
    mcp_url: moved(settings.mcp_url),
    site_url: moved(settings.site_url),
  }
}
