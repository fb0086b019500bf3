// The mail to an owner about a change of name servers that waited, and was given up. Pure.
import { button, type EmailMessage, paragraph, words } from '../../../mail/index.ts'
import { domainPage } from '../../emails.ts'
import type { WaitingChange } from './waiting-maker.ts'

export type GivenUp = 'expired' | 'maker_right_ended' | 'domain_protected' | 'refused'

const reasons: Readonly<Record<GivenUp, string>> = {
  expired: 'the new ones did not serve all of its records within seven days',
  maker_right_ended: 'the one who asked for it may no longer make it',
  domain_protected: 'you have protected the domain since',
  refused: 'it was refused',
}

type Facts = { because: GivenUp; detail: string | null; dashboard_url: string }

/** The mail is sent once for each change. */
export function waitingGivenUpEmail(
  { id, domain, nameservers }: Pick<WaitingChange, 'id' | 'domain' | 'nameservers'>,
  { because, detail, dashboard_url }: Facts,
): EmailMessage {
  return {
    kind: 'waiting_nameservers_given_up',
    dedupe_key: `waiting_nameservers_given_up:${id}`,
    subject: words`The name servers of ${domain} were not changed`,
    happened: [
      paragraph(
        words`${domain} was to get the name servers ${nameservers.join(', ')} once they serve it.`,
        words`That is given up, because ${reasons[because]}.`,
        ...(detail === null ? [] : [words`The reason: ${detail}`]),
      ),
    ],
    todo: [
      paragraph(words`Its present name servers stay. Change them when the new ones are ready.`),
      button(words`Open ${domain}`, domainPage(dashboard_url, domain)),
    ],
  }
}
