// The frame of every mail as plain text, pure: greeting, the event, the next steps, and the footer.
import type { MailPart } from './email-blocks.ts'
import { Block } from './email-blocks.ts'
import { oneLine, type Words, wrapped } from './email-words.ts'

/** A module's message to the owner of an account. */
export type EmailMessage = {
  /** The kind of event, e.g. `expiry_notice`: lower snake case. */
  kind: string
  /** Names the event permanently: the same key queues no second mail. */
  dedupe_key: string
  /** The request of a browser that it answers: a sign-up, a reset, a change of address. */
  request_id?: string
  subject: Words
  happened: readonly MailPart[]
  /** The owner's next steps. */
  todo: readonly MailPart[]
}

const width = 76

/** The greeting has no name if `name` is null. */
export function greetingOf(name: string | null): string {
  return name === null ? 'Hello,' : `Hello ${oneLine(name)},`
}

/** The text of the mail, greeting included. */
export function emailText({ happened, todo }: EmailMessage, name: string | null): string {
  const parts = [...happened, ...todo].map((part, i, all) => {
    const isListed = isItem(part) && isItem(all[i - 1])
    return (isListed ? '\n' : '\n\n') + textOf(part)
  })
  return `${linesOf(greetingOf(name))}${parts.join('')}\n`
}

function isItem(part: MailPart | undefined): boolean {
  return part instanceof Block && part.kind === 'item'
}

function textOf(part: MailPart): string {
  return String(part).split('\n').map(linesOf).join('\n')
}

function linesOf(text: string): string {
  return wrapped(text, width).join('\n')
}

export type FooterFacts = {
  site_url: string
  abuse_contact: string | null
  /** Whether the recipient has an account, and not merely an address that was entered. */
  is_owner: boolean
}

/** Why the recipient got the mail, and where abuse is reported: the end of every mail. */
export function reasonsOf({ abuse_contact, is_owner }: FooterFacts): string[] {
  const reason = is_owner
    ? 'You get this mail because you have an account there.'
    : 'You get this mail because this address was entered there.'
  return abuse_contact === null ? [reason] : [reason, `Abuse of a domain: ${abuse_contact}`]
}

export function footerText(facts: FooterFacts): string {
  const lines = [`agent-registrar, ${facts.site_url}`, ...reasonsOf(facts)]
  return `\n-- \n${lines.map((line) => `${line}\n`).join('')}`
}
