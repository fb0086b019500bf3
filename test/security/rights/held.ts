// Runs requests whose registry holds its answer, ends the right of their callers, and lets the
// registry answer: nothing may be sent or stored.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { mapParallel } from '../../disasters/support/parallel.ts'
import type { Answer, TestService } from '../../support/service.ts'
import { actorOf, endings, type Kind } from './actors.ts'
import { type Act, acts, type Setting, stateAt } from './acts.ts'

type Case = { act: Act; by: Kind; ending: string }

/** Every operation x every caller of it x every end of its right that concerns it. */
export const allCases: readonly Case[] = acts.flatMap((act) =>
  act.by.flatMap((by) =>
    Object.entries(endings)
      .filter(([, { of, guarded, held }]) => {
        const concerns = (!guarded || act.guarded) && (!held || act.held || act.buys)
        return of.includes(by) && concerns
      })
      .map(([ending]) => ({ act, by, ending })),
  ),
)

export const titleOf = ({ act: { operation, what }, by, ending }: Case) =>
  `${operation}${what ? ` (${what})` : ''} by ${by}: ${ending}`

const tag = `${process.pid}-${randomBytes(3).toString('hex')}`
let names = 0

type Held = { one: Case; setting: Setting; before: unknown; answer: Promise<Answer> }

async function hold(registrar: TestService, one: Case): Promise<Held> {
  const { act, by } = one
  names += 1
  const label = `right-${tag}-${names}`
  const actor = await actorOf(registrar, by)
  const named = { registrar, actor, domain: `${label}.${act.tld ?? 'com'}` }
  const made = await act.prepare?.(named)
  const setting = { ...named, ...(made && { domain: made.domain }) }
  const before = await stateAt(setting, act)
  const { sandbox } = registrar
  const fault = { command: act.holds, domain: heldName(setting, act), delay_ms: 60_000 }
  sandbox.setFault({ name: 'slow', ...fault })
  const answer = act.send(setting, made?.id ?? '')
  const isArmed = () => sandbox.faults().some(({ domain }) => domain === fault.domain)
  const early = answer.then(() => true)
  while (isArmed() && !(await Promise.race([early, sleep(5, false)])));
  assert.ok(!isArmed(), `${titleOf(one)} was not held: ${isArmed() && (await answer).text}`)
  return { one, setting, before, answer }
}

const heldName = ({ domain }: Setting, { holds }: Act) =>
  holds.startsWith('host:') ? `ns1.${domain}` : domain

/** The mistakes, each a line. Some cases at a time, as each holds a session of its registry. */
export async function runCases(
  registrar: TestService,
  cases: readonly Case[],
  width = 3,
): Promise<string[]> {
  const wrong: string[] = []
  const [alone, others] = [
    cases.filter(({ act }) => act.alone),
    cases.filter(({ act }) => !act.alone),
  ]
  for (let at = 0; at < others.length; at += width)
    wrong.push(...(await runTogether(registrar, others.slice(at, at + width))))
  for (const one of alone) wrong.push(...(await runTogether(registrar, [one])))
  return wrong
}

async function runTogether(registrar: TestService, cases: readonly Case[]): Promise<string[]> {
  const unheld: string[] = []
  const begun = await mapParallel(cases, cases.length, (one) =>
    hold(registrar, one).catch((error: Error) => void unheld.push(`${titleOf(one)}: ${error}`)),
  )
  const held = begun.filter((one) => one !== undefined)
  await mapParallel(held, held.length, async ({ one, setting }) => {
    await endings[one.ending]?.end(registrar, setting.actor, setting.domain)
  })
  registrar.sandbox.releaseDelayed()
  const wrong = await mapParallel(held, held.length, check)
  return [...unheld, ...wrong.flat()]
}

async function check({ one, setting, before, answer }: Held): Promise<string[]> {
  const { act, ending } = one
  const { status, body, text } = await answer
  const { code = '', code_of_purchase = code } = endings[ending] ?? {}
  const expected = act.buys ? code_of_purchase : code
  const given = `${status} ${body.code ?? ''}`.trim()
  const after = await stateAt(setting, act)
  const changed = JSON.stringify(after) === JSON.stringify(before) ? [] : ['done all the same']
  const other = given === expected ? [] : [`answered ${given}, not ${expected}: ${text}`]
  return [...changed, ...other].map((words) => `${titleOf(one)}: ${words}`)
}
