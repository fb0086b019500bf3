// A recording with the same values each time: moments of a fixed clock, random texts and the
// outcomes of races from the name of the operation. So a new recording shows what really changed.
import { createHash } from 'node:crypto'
import { addDays, addYears, dayOf } from '../../../../src/kit/clock.ts'

/** When every recorded call is sent. */
const sent = new Date('2026-06-01T12:00:00.000Z')
const minute_ms = 60_000
const day_ms = 86_400_000

type Recorded = { name: string; sent_at: number }

/** The value with everything in its place that another run would have otherwise. */
export function fixedValues<T>(value: T, recorded: Recorded): T
export function fixedValues(value: unknown, recorded: Recorded): unknown {
  return new FixedValues(recorded).value(value, '')
}

/** Outcomes of races with the jobs of the service, and measured times, by their fields. */
const settled: Readonly<Record<string, unknown>> = {
  'mail.state': 'up',
  ...{ 'mail.waiting': 0, has_more: true, last_event_id: '3' },
  ...{ latency_ms: 2, skew_ms: 0, port: 53, offset_ms: 518_400_000 },
  ...{ block_number: '12', 'block.number': '12', 'answer.number': '12' },
  ...{ from_xid: '798', to_xid: '828', from_id: '1', to_id: '7', highest_id: '7' },
  ...{ row_count: 6, leaf_index: 5, tree_size: 6, task_id: '1', ms: 1 },
  ...{ 'tasks.id': 1, 'retry_dead_task.answer.id': 1 },
}

const moments = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?=Z|\+00)/g
const epochSeconds = /\b1[0-9]{9}\b/g
/** Octets as hex, with a digit and a letter; an address with capitals is a well-known contract. */
const hex =
  /(?:(?<![0-9A-Za-z])(?:0x)?|(?<=\\x))(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{12,}(?![0-9A-Za-z])/g
/** Octets as base64url or base62: both cases, and a digit or several capitals. */
const base64url = new RegExp(
  String.raw`(?<![\w-])(?!0x[0-9A-Fa-f]{40}\b)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])` +
    String.raw`(?=[\w-]*[0-9]|(?:[\w-]*[A-Z]){4})[\w-]{16,}`,
  'g',
)
const base64 =
  /^(?!0x[0-9A-Fa-f]{40}$)(?=.*[0-9+/=])(?=.*[A-Z])(?=.*[a-z])[0-9A-Za-z+/]{40,}={0,2}$/
const alphabets = {
  hex: '0123456789abcdef',
  base64: 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789',
} as const

/** A long value shows how it begins. */
function cut(text: string): string {
  return text.replace(/^[\w-]{60,}$/, (long) => `${long.slice(0, 19)}...`)
}

class FixedValues {
  readonly #recorded: Recorded
  readonly #known = new Map<string, string>()
  /** Texts that were made for each place. */
  readonly #counts = new Map<string, number>()

  constructor(recorded: Recorded) {
    this.#recorded = recorded
  }

  value(value: unknown, path: string): unknown {
    const field = /[^.]+$/.exec(path)?.[0] ?? ''
    const ofParent = /[^.]+\.[^.]+$/.exec(path)?.[0] ?? ''
    const ofOperation = settled[this.#recorded.name + path]
    const fixed = ofOperation ?? settled[ofParent] ?? settled[field]
    if (fixed !== undefined && typeof value === typeof fixed) return fixed
    if (typeof value === 'string') return this.#text(value, path)
    if (typeof value === 'number') return Number(this.#seconds(String(value)))
    if (Array.isArray(value)) {
      // The path of an entry of the log is as long as its block has levels.
      const items = field === 'path' ? [value[0] ?? 'a1'.repeat(32)] : value
      return items.map((one) => this.value(one, path))
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([key, one]) => [key, this.value(one, `${path}.${key}`)]))
  }

  #text(text: string, path: string): string {
    const field = /[^.]+$/.exec(path)?.[0] ?? ''
    if (field === 'cursor' || field === 'sources') return text
    if (/^\d{4}-\d\d(-\d\d)?$/.test(text) && field !== 'checked_at') return this.#day(text)
    if (base64.test(text)) return cut(this.#random(text, path, 'base64'))
    if (path === '.answer.auth_code')
      return this.#random(text.slice(0, -1), path, 'base64') + text.slice(-1)
    const fixed = this.#seconds(text.replaceAll(moments, (moment) => this.#moment(moment)))
      .replaceAll(/http:..(localhost|127\.0\.0\.1):\d+/g, 'https://registrar.example')
      .replaceAll(hex, (found) => this.#random(found, path, 'hex'))
      .replaceAll(base64url, (found) => this.#random(found, path, 'base64'))
      .replaceAll(
        /^((?:ar|op)_(?:test_|live_)?)(\w{6})$/g,
        (_, form, shown) => form + this.#random(shown, path, 'base64'),
      )
      .replaceAll(/^([A-Z]{2})\d{4}-([A-Z]{2})$/g, '$10001-$2')
      .replaceAll(/^(AR\d+)-[0-9A-Z]{4}$/g, '$1-A1B2')
      .replaceAll(/\bcs_\d{1,7}-[0-9a-f]{6}_(\d+)/g, 'cs_test_$1')
      .replaceAll(/(?<= )\d{1,7}-(\d+)$/g, '$1')
      .replaceAll(/^( *)\d{6}$/gm, '$1123456')
    return cut(fixed)
  }

  /** In the same form: as many years, and half days or five minutes, away from the call. */
  #moment(text: string): string {
    const at = new Date(`${text.replace(' ', 'T')}Z`)
    const years = Math.round((at.getTime() - this.#recorded.sent_at) / (365.25 * day_ms))
    const away_ms = at.getTime() - addYears(new Date(this.#recorded.sent_at), years).getTime()
    const step_ms = Math.abs(away_ms) > day_ms / 2 ? day_ms / 2 : 5 * minute_ms
    // Moments shortly before the call count as its own, however long the recording takes.
    const isJustBefore = away_ms < 0 && away_ms > -60 * minute_ms
    const steps = isJustBefore ? 0 : Math.round(away_ms / step_ms)
    const moved = new Date(addYears(sent, years).getTime() + steps * step_ms).toISOString()
    return text.includes(' ') ? moved.slice(0, 19).replace('T', ' ') : moved.slice(0, -1)
  }

  /** A day, or a month as YYYY-MM, as far from that of the call. */
  #day(text: string): string {
    const called = new Date(this.#recorded.sent_at)
    if (text.length > 7) {
      const days = Math.round((Date.parse(text) - Date.parse(dayOf(called))) / day_ms)
      return dayOf(addDays(sent, days))
    }
    const at = new Date(`${text}-01`)
    const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
    const month = monthOf(sent) + monthOf(at) - monthOf(called)
    const year = String(Math.floor(month / 12))
    return `${year}-${String((month % 12) + 1).padStart(2, '0')}`
  }

  /** Serials of zones are seconds since 1970. */
  #seconds(text: string): string {
    return text.replaceAll(epochSeconds, (digits) => {
      const away_ms = Number(digits) * 1_000 - this.#recorded.sent_at
      return Math.abs(away_ms) < day_ms ? String(sent.getTime() / 1_000) : digits
    })
  }

  /** A text of the same length and form, the same for the same text. */
  #random(text: string, path: string, form: keyof typeof alphabets): string {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const count = this.#counts.get(path) ?? 0
    this.#counts.set(path, count + 1)
    const [, start = '', random = '', end = ''] =
      /^(0x(?=[0-9a-f]*$)|c1_|)([^=]*)(=*)$/.exec(text) ?? []
    const alphabet = alphabets[form]
    let made = ''
    for (let i = 0; made.length < random.length; i += 1) {
      const seed = `${this.#recorded.name} ${path} ${count} ${i}`
      for (const octet of createHash('sha256').update(seed).digest())
        made += alphabet[octet % alphabet.length]
    }
    const fixed = start + made.slice(0, random.length) + end
    this.#known.set(text, fixed)
    return fixed
  }
}
