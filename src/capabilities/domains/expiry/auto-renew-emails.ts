// What an owner is told of an automatic renewal that did not happen, pure.
import { type EmailMessage, paragraph, words } from '../../mail/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { dayOf } from '../holdings/lifecycle.ts'

type Facts = { today: Date; base_url: string }
type Named = Pick<Holding, 'id' | 'name' | 'expiry'>

/** The balance does not cover it. At most once a day. */
export function renewalUnpaid(
  { id, name, expiry }: Named,
  { short, today, base_url }: Facts & { short: { price: string; shortfall: string } },
): EmailMessage {
  return {
    kind: 'auto_renew_unpaid',
    dedupe_key: `auto_renew_unpaid:${id}:${dayOf(today)}`,
    subject: words`${name} could not be renewed: ${short.shortfall} are missing`,
    happened: [
      paragraph(
        words`${name} is to renew by itself; it is paid until ${dayOf(expiry)}.`,
        words`One more year costs ${short.price}, and your balance lacks ${short.shortfall}.`,
      ),
    ],
    todo: [
      words`Top up your balance: it is tried again every day.`,
      words`Or renew it yourself: POST ${base_url}/v1/domains/${name}/renew`,
    ],
  }
}

/** Refused for another reason. At most once a day. */
export function renewalRefused(
  { id, name, expiry }: Named,
  { reason, today, base_url }: Facts & { reason: string },
): EmailMessage {
  return {
    kind: 'auto_renew_failed',
    dedupe_key: `auto_renew_failed:${id}:${dayOf(today)}`,
    subject: words`${name} could not be renewed`,
    happened: [
      words`${name} is to renew by itself; it is paid until ${dayOf(expiry)}.`,
      words`Its renewal was refused: ${reason}`,
      words`Nothing was charged.`,
    ],
    todo: [
      words`It is tried again every day.`,
      words`Or renew it yourself: POST ${base_url}/v1/domains/${name}/renew`,
    ],
  }
}
