// The mail to an owner about a change that was not reverted although it was due. Pure.
import type { DomainName } from '../../../../kit/random.ts'
import { button, type EmailMessage, paragraph, words } from '../../../mail/index.ts'
import { domainPage } from '../../emails.ts'
import type { KeptReason } from './kept.ts'

type Decidable = Exclude<KeptReason, 'changed_since'>

const reasons: Readonly<Record<Decidable, string>> = {
  maker_right_ended: 'the key or app that made it may not change this any more',
  account_suspended: 'the account is suspended',
  domain_protected: 'you have protected the domain since',
  domain_locked: 'you have locked the domain since',
  new_password: 'the password of the account was changed since',
  refused: 'the revert was refused',
}

type Kept = {
  id: string
  domain: DomainName
  because: Decidable
  of: 'records' | 'name_servers'
  changed: string
}

const titles = { records: 'DNS records', name_servers: 'the name servers' } as const

/** The mail is sent once for each change. */
export function changeKeptEmail(
  { id, domain, because, of, changed }: Kept,
  { dashboard_url }: { dashboard_url: string },
): EmailMessage {
  return {
    kind: 'dns_change_kept',
    dedupe_key: `dns_change_kept:${id}`,
    subject: words`A change of ${titles[of]} of ${domain} was not reverted`,
    happened: [
      paragraph(
        words`A change of ${titles[of]} of ${domain} was not confirmed in time: ${changed}.`,
        words`It was due to be reverted, but it stays, because ${reasons[because]}.`,
      ),
    ],
    todo: [
      paragraph(
        words`Please decide whether to keep or revert the change, on the page of the domain.`,
        words`Until then it stays. Its id is ${id}.`,
      ),
      button(words`Open ${domain}`, domainPage(dashboard_url, domain)),
    ],
  }
}
