// Moves the sandbox's time forward, the registries' first, then every node's calendar: POST
// /v1/sandbox/clock.
import Type from 'typebox'
import { operation, operatorOnly } from '../../app.ts'
import { addDuration, parseDuration } from '../../kit/clock.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { dateTime } from '../../kit/schema.ts'
import { storeAuditRow } from '../audit/index.ts'
import { notifyOffset, raiseOffset } from './calendar.sql.ts'
import { offsetOf } from './calendar.ts'
import { askSandbox, clockBackwards, sandboxUnreachable } from './faults.ts'

// Far beyond any registration, and within what every part of the sandbox can write as a date.
const last_moment = new Date('2200-01-01T00:00:00Z')

type Jump = { advance?: string; advance_ms?: number; to?: string }

export const moveSandboxClock = operation({
  name: 'move_sandbox_clock',
  does: "Move the sandbox's clock forward, so that years of a domain pass at once.",
  more:
    'Give exactly one of "advance", "advance_ms" and "to". The sandbox registries apply all due ' +
    'transitions; every node uses their time from then on, and its jobs wake. Keys, sessions ' +
    'and rate limits follow real time. The clock cannot be moved back.',
  at: 'POST /v1/sandbox/clock',
  area: 'Sandbox',
  who: operatorOnly(),
  takes: Type.Object({
    advance: Type.Optional(
      Type.String({
        maxLength: 64,
        examples: ['P30D'],
        description: 'How far to move it, as an ISO 8601 duration, e.g. P30D or P1Y2M.',
      }),
    ),
    advance_ms: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 43, description: 'The same in milliseconds.' }),
    ),
    to: Type.Optional(dateTime('The moment to go to.')),
  }),
  gives: Type.Object(
    {
      now: dateTime("The sandbox's time now."),
      offset_ms: Type.Integer({
        description: 'How far it is ahead of real time, in milliseconds.',
      }),
    },
    { title: 'SandboxClockResponse' },
  ),
  fails: [clockBackwards, sandboxUnreachable],
  effect: 'own',
  target: () => ({ target_type: 'sandbox', target: 'clock' }),
  async run(input, call, app) {
    refuseUnclear(input)
    return askSandbox(app, async ({ control, calendar }) => {
      const ms = wantedJump(input, await control.now())
      const moved = offsetOf(await control.advance(ms), calendar)
      // Only now: a calendar that is ahead of the registries would see things end that have not.
      const offset_ms = await app.db.transaction(async (sql) => {
        const row = await sql.one(raiseOffset, { offset_ms: BigInt(moved) })
        await sql.one(notifyOffset, { offset_ms: row.offset_ms })
        const facts = { target_type: 'sandbox', target: 'clock', status_code: 200 }
        const metadata = { advanced_ms: ms, offset_ms: Number(row.offset_ms) }
        await storeAuditRow(sql, call.auditRow({ ...facts, metadata }))
        return Number(row.offset_ms)
      })
      calendar.set(offset_ms)
      return { now: calendar.now().toISOString(), offset_ms }
    })
  },
})

function refuseUnclear(input: Jump): void {
  if (Object.values(input).filter((value) => value !== undefined).length === 1) return
  const msg = 'Give exactly one of advance, advance_ms and to'
  throw new InvalidInput([{ path: [], msg, type: 'value_error' }])
}

/** Milliseconds from now. Throws InvalidInput or clockBackwards. */
function wantedJump({ advance, advance_ms, to }: Jump, now: Date): number {
  const field = advance !== undefined ? 'advance' : to !== undefined ? 'to' : 'advance_ms'
  const wanted =
    advance !== undefined
      ? addDuration(now, readDuration(advance))
      : to !== undefined
        ? new Date(to)
        : new Date(now.getTime() + (advance_ms ?? 0))
  if (!(wanted <= last_moment)) {
    const msg = `The time should stay before ${last_moment.toISOString()}`
    throw new InvalidInput([{ path: [field], msg, type: 'value_error' }])
  }
  if (wanted < now)
    throw clockBackwards({
      detail: `It is ${now.toISOString()} in the sandbox, and its time only goes forward.`,
      facts: { now: now.toISOString() },
    })
  return wanted.getTime() - now.getTime()
}

function readDuration(text: string) {
  const duration = parseDuration(text)
  if (duration) return duration
  const msg = 'Input should be an ISO 8601 duration of whole numbers, such as P30D or PT12H'
  throw new InvalidInput([{ path: ['advance'], msg, type: 'value_error' }])
}
