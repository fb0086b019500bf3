// The mail to an owner about a change of DNS records that did not go back. Pure.
import { button, type EmailMessage, paragraph, words } from '../../../mail/index.ts'
import { domainPage } from '../../emails.ts'
import { titleOf } from '../records/record-set.ts'
import type { keptReasons } from './kept.ts'
import type { OpenChange } from './open-changes.ts'

type Reason = Exclude<(typeof keptReasons)[number], 'changed_since'>

const reasons: Readonly<Record<Reason, string>> = {
  maker_right_ended: 'its maker may no longer change these records',
  account_suspended: 'the account is suspended',
  domain_protected: 'you have protected the domain since',
  new_password: 'the password of the account was changed since',
  refused: 'the records as they are now do not allow it',
}

type Facts = { domain: string; because: Reason; dashboard_url: string }

/** Once for each change. */
export function changeKeptEmail(
  { id, diff }: Pick<OpenChange, 'id' | 'diff'>,
  { domain, because, dashboard_url }: Facts,
): EmailMessage {
  const [first] = diff
  const more = diff.length > 1 ? ` and ${diff.length - 1} more` : ''
  const what = `${first ? titleOf(first) : ''}${more}`
  return {
    kind: 'dns_change_kept',
    dedupe_key: `dns_change_kept:${id}`,
    subject: words`A change of DNS records of ${domain} did not go back`,
    happened: [
      paragraph(
        words`A change of DNS records of ${domain} was not confirmed in time: ${what}.`,
        words`It was to go back by itself, but it stays, because ${reasons[because]}.`,
      ),
    ],
    todo: [
      paragraph(
        words`Decide whether it stays: confirm it, or take it back, in the history of the domain.`,
        words`Its id is ${id}.`,
      ),
      button(words`Open ${domain}`, domainPage(dashboard_url, domain)),
    ],
  }
}
