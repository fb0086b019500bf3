// The frame of every mail, pure: greeting, what happened, what to do, and the foot.
import { oneLine, type Words } from './email-words.ts'

/** A module's message to the owner of an account. */
export type EmailMessage = {
  /** The kind of event, e.g. `expiry_notice`: lower snake case. */
  kind: string
  /** Names the event permanently: the same key queues no second mail. */
  dedupe_key: string
  subject: Words
  /** Paragraphs. */
  happened: readonly Words[]
  /** Paragraphs; what the owner can do about it. */
  todo: readonly Words[]
}

const width = 76

/** The text of the mail, greeting included; `name` null: by none. */
export function emailText({ happened, todo }: EmailMessage, name: string | null): string {
  const greeting = name === null ? 'Hello,' : `Hello ${oneLine(name)},`
  const paragraphs = [greeting, ...happened, ...todo]
  return `${paragraphs.map((one) => wrapped(String(one))).join('\n\n')}\n`
}

/** The footer of every mail: the sender, its address, and the contact for abuse. */
export function foot({ site_url, abuse_contact }: FootFacts): string {
  const abuse = abuse_contact === null ? [] : [`Abuse of a domain: ${abuse_contact}`]
  return `\n-- \nagent-registrar, ${site_url}\n${abuse.map((line) => `${line}\n`).join('')}`
}
type FootFacts = { site_url: string; abuse_contact: string | null }

/** Lines of at most 76 characters, broken at spaces only: names and addresses stay whole. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
