// Byzantine answers of a registry: replies rewritten with false values.
import {
  type ByzantineAnswer,
  falsifiedCreationDate,
  falsifiedExpiry,
  isFalseName,
} from '../../support/byzantine-answers.ts'
import type { Reply } from '../protocol/reply.ts'

/** The reply with the fault's false values, or the same reply if it has no such element. */
export function falsifyReply(reply: Reply, fault: ByzantineAnswer, now: number): Reply {
  const { data } = reply
  if (data === undefined) return reply
  return {
    ...reply,
    data: isFalseName(fault) ? withOtherName(data) : withFalseDates(data, fault, now),
  }
}

function withOtherName(data: string): string {
  return data
    .replaceAll(/(<(?:domain|host):name\b[^>]*>)([^<]*)/g, '$1other-$2')
    .replaceAll(/(<contact:id\b[^>]*>)[^<]*/g, '$1other-id')
}

function withFalseDates(data: string, fault: ByzantineAnswer, now: number): string {
  return data
    .replaceAll(/(<domain:exDate>)([^<]*)/g, (_, tag: string, date: string) => {
      return tag + (falsifiedExpiry(fault, Date.parse(date), now) ?? date)
    })
    .replaceAll(/(<\w+:crDate>)([^<]*)/g, (_, tag: string, date: string) => {
      return tag + (falsifiedCreationDate(fault) ?? date)
    })
}
