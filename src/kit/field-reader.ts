// Reads the text fields of one input by rules that a schema cannot express, and reports all
// problems at once.

import { type InvalidField, InvalidInput } from './fault.ts'
import { parseEmail } from './net/email.ts'

// Control characters (CR and LF end a mail header), line and paragraph separators, characters that
// turn the direction of the text around them, and noncharacters, which XML 1.0 forbids.
const unsafe = /[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Whether a text has no control characters and the like, so that it may be shown in one line. */
export function isLine(text: string): boolean {
  return !unsafe.test(text) && text.isWellFormed()
}

const longest_mailbox = 254

/**
 * One reading of one input. Each method answers a value that may only be used after `finish()`
 * returned.
 */
export class FieldReader {
  #problems: InvalidField[] = []

  /** Notes a failing field; `path` starts at the input's field. */
  refuse(path: (string | number)[], msg: string, type = 'value_error'): void {
    this.#problems.push({ path, msg, type })
  }

  /** One line of text: trimmed, not blank, without control characters. */
  line(field: string, value: string): string {
    const text = this.#safe(field, value)
    if (text === '') this.refuse([field], 'String must not be empty', 'string_too_short')
    return text
  }

  /** Reads as `line` does, but a value that is left out, null or blank is null. */
  optionalLine(field: string, value: string | null | undefined): string | null {
    const text = this.#safe(field, value ?? '')
    return text === '' ? null : text
  }

  #safe(field: string, value: string): string {
    if (unsafe.test(value))
      this.refuse([field], 'String should not have control characters', 'string_control_character')
    return value.trim()
  }

  /** An e-mail address (see parseEmail). */
  email(field: string, value: string): string {
    const email = parseEmail(value)
    if (email === undefined)
      this.refuse([field], 'Value is not a valid email address', 'value_error')
    return email ?? ''
  }

  /** An e-mail address that gets a mail: a server takes 254 characters (RFC 5321 4.5.3.1.3). */
  mailbox(field: string, value: string): string {
    const email = this.email(field, value)
    if (email.length > longest_mailbox)
      this.refuse(
        [field],
        `An email address has at most ${longest_mailbox} characters`,
        'value_error',
      )
    return email
  }

  /** A valid date and time whose form the schema has checked; null if left out. */
  moment(field: string, value: string | undefined): Date | null {
    if (value === undefined) return null
    const moment = new Date(value)
    // RFC 3339 has leap seconds, and its form lets an offset be +24:00; a Date knows neither.
    if (Number.isNaN(moment.getTime()))
      this.refuse([field], 'Input should be a moment without leap second', 'value_error')
    return moment
  }

  /** Whether nothing was refused so far. */
  get isSound(): boolean {
    return this.#problems.length === 0
  }

  /** Throws InvalidInput when anything was refused. */
  finish(): void {
    if (this.#problems.length > 0) throw new InvalidInput(this.#problems)
  }
}
