// What an owner is told when a program was connected, pure: it may have been somebody else who
// consented.
import { type EmailMessage, paragraph, words } from '../../capabilities/mail/index.ts'
import { displayName } from '../shared/display-name.ts'
import { scopeDescription } from './scope-descriptions.ts'

export type GivenGrant = {
  id: string
  client_name: string
  redirect_host: string
  scopes: readonly string[]
}

type Roots = { base_url: string; site_url: string }

/** To the owner, about a consent that was given with the password or in a log-in of the account. */
export function programConnected(grant: GivenGrant, { base_url, site_url }: Roots): EmailMessage {
  const powers = grant.scopes.flatMap((scope) => scopeDescription(scope)?.words ?? [])
  return {
    kind: 'oauth_grant_made',
    dedupe_key: `oauth_grant_made:${grant.id}`,
    subject: words`A program was connected to your account`,
    happened: [
      paragraph(
        words`A program may use your account now.`,
        words`The log-in led to ${grant.redirect_host}.`,
        words`This is what it calls itself, and nobody has checked the name:`,
      ),
      // On a line of its own, with a mark: a name must not go on in our voice.
      words`> ${displayName(grant.client_name)}`,
      powers.length === 0
        ? words`It may know which account is yours, and nothing else.`
        : words`It may do this:`,
      ...powers.map((one) => words`- ${one}`),
    ],
    todo: [
      paragraph(
        words`If that was not you, set a new password at once:`,
        words`${base_url}/password/forgotten`,
      ),
      words`That disconnects every program. Then tell us: ${site_url}`,
    ],
  }
}
