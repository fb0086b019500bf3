// Emails to an owner about consents, as pure functions: about a new one, which someone else may
// have given, and about those that have ended.
import {
  button,
  type EmailMessage,
  item,
  link,
  paragraph,
  quote,
  words,
} from '../../capabilities/mail/index.ts'
import type { CustomerId } from '../../kit/random.ts'
import { type DnsLimit, dnsWords } from '../app-limits/dns-limit.ts'
import { type SpendChoice, spendWords } from '../app-limits/spend-limit.ts'
import { scopeDescription } from '../interaction/scope-descriptions.ts'
import { deviceDestination, displayName } from '../shared/display-name.ts'
import type { EndReason } from '../storage/end-reasons.ts'

type NewGrant = {
  id: string
  client_name: string
  redirect_host: string
  scopes: readonly string[]
  /** Null if it may not buy. */
  spend: SpendChoice | null
  /** Null if it has no limit, or may change none. */
  dns: DnsLimit | null
}

type Roots = { base_url: string; site_url: string }

/**
 * The email to the owner about a consent that was given with the password or in a login of the
 * account.
 */
export function appConnectedEmail(grant: NewGrant, { base_url, site_url }: Roots): EmailMessage {
  const permissions = grant.scopes.flatMap((scope) => scopeDescription(scope)?.words ?? [])
  return {
    kind: 'oauth_grant_made',
    dedupe_key: `oauth_grant_made:${grant.id}`,
    subject: words`An app was connected to your account`,
    happened: [
      paragraph(
        words`An app can now use your account.`,
        grant.redirect_host === deviceDestination.redirect_host
          ? words`It was connected by a code that a device or a terminal showed.`
          : words`After the log-in, the browser was sent to ${grant.redirect_host}.`,
        words`The app gave this name, which is not verified:`,
      ),
      // The name is on a line of its own, with a mark, because it must not read like our own text.
      quote(displayName(grant.client_name)),
      permissions.length === 0
        ? words`It can identify your account and do nothing else.`
        : words`It can:`,
      ...permissions.map((one) => item(words`${one}`)),
      ...(grant.spend ? [words`It may spend at most ${spendWords(grant.spend)}.`] : []),
      ...(grant.dns ? [words`It may change only ${dnsWords(grant.dns)}.`] : []),
    ],
    todo: [
      words`If you connected it, you do not need to do anything.`,
      paragraph(
        words`If this was not you, set a new password immediately: that disconnects every app.`,
        words`Then contact us: ${link(site_url)}`,
      ),
      button(words`Set a new password`, `${base_url}/password/forgotten`),
    ],
  }
}

type Ended = {
  customer_id: CustomerId
  /** The names of the apps, each once, and at least one. */
  apps: readonly string[]
  /** Null if it is not known. */
  reason: EndReason | null
  /** The moment, which is the same for all that ended together. */
  moment: string
}
type PageRoots = { dashboard_url: string; site_url: string }

const most_named = 20

type Paragraph = ReturnType<typeof words>

const reasons: Readonly<Record<EndReason, Paragraph>> = {
  disconnected: words`It was disconnected in your account, or by an API key or app of yours.`,
  revoked_by_app: words`The app itself ended it, as it does when you log out there.`,
  refresh_token_reused: paragraph(
    words`An old token of the app was used again. That happens when a token was stolen, or when an`,
    words`app was restored from a backup, so everything it had was revoked.`,
  ),
  code_reused: paragraph(
    words`The code of its log-in was used twice. That happens when a code was stolen,`,
    words`so everything it had was revoked.`,
  ),
  password_changed: words`Your password was changed, which disconnects every app.`,
  account_closed: words`Your account was closed.`,
  narrowed: words`You connected the app again and allowed it nothing that it was allowed before.`,
  unused: words`Its access has expired: the app did not use it.`,
}

/** A replay may be the work of a thief, who had the tokens until then. */
const suspicious: readonly (EndReason | null)[] = ['refresh_token_reused', 'code_reused', null]

/** The email to the owner about all consents that ended at one moment for one reason. */
export function appsDisconnectedEmail(
  ended: Ended,
  { dashboard_url, site_url }: PageRoots,
): EmailMessage {
  const { apps, reason, customer_id, moment } = ended
  const named = apps.slice(0, most_named).map((name) => quote(displayName(name)))
  const left = apps.length - named.length
  return {
    kind: 'oauth_grants_ended',
    dedupe_key: `oauth_grants_ended:${customer_id}:${reason ?? 'unknown'}:${moment}`,
    subject:
      apps.length === 1
        ? words`An app was disconnected from your account`
        : words`${apps.length} apps were disconnected from your account`,
    happened: [
      paragraph(
        words`A connection to your account has ended: its tokens, and the API keys that were made`,
        words`with it, no longer work. The app gave this name, which is not verified:`,
      ),
      ...named,
      ...(left > 0 ? [item(words`and ${left} more`)] : []),
      ...(reason === null ? [] : [reasons[reason]]),
    ],
    todo: [
      words`To use the app again, connect it again from the app.`,
      ...(suspicious.includes(reason)
        ? [
            paragraph(
              words`Look at what it did in your audit log. If that was not you, set a new password`,
              words`and contact us: ${link(site_url)}`,
            ),
          ]
        : []),
      button(words`Connected apps`, `${dashboard_url}/connected-apps`),
    ],
  }
}
