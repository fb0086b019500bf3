// The email that notifies an owner of a new consent, pure: it may have been given by someone else.
import {
  button,
  type EmailMessage,
  item,
  link,
  paragraph,
  quote,
  words,
} from '../../capabilities/mail/index.ts'
import { deviceDestination, displayName } from '../shared/display-name.ts'
import { scopeDescription } from './scope-descriptions.ts'
import { type SpendChoice, spendWords } from './spend-limit.ts'

type NewGrant = {
  id: string
  client_name: string
  redirect_host: string
  scopes: readonly string[]
  /** Null: it may not buy. */
  spend: SpendChoice | null
}

type Roots = { base_url: string; site_url: string }

/** To the owner, about a consent that was given with the password or in a login of the account. */
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
      // On a line of its own, with a mark: a name must not read like our own text.
      quote(displayName(grant.client_name)),
      permissions.length === 0
        ? words`It can identify your account, and nothing else.`
        : words`It can:`,
      ...permissions.map((one) => item(words`${one}`)),
      ...(grant.spend ? [words`It may spend at most ${spendWords(grant.spend)}.`] : []),
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
