// Steps of tests beside a node whose clock is wrong: requests to either node, and waits.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsIn } from '../support/owner-sql.ts'
import type { TestService } from '../support/service.ts'

type Given = { token?: string; body?: object }

export async function ask(url: string, at: string, { token, body }: Given = {}) {
  const [method, path] = at.split(' ')
  const response = await fetch(`${url}${path}`, {
    method: method ?? 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : {}, text }
}

export async function until<T>(read: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 40_000
  for (;;) {
    const found = await read()
    if (isSo(found)) return found
    assert.ok(performance.now() < end, JSON.stringify(found))
    await sleep(100)
  }
}

/**
 * The same for work of a job. A job skips a domain that another job is just writing, or that did
 * not answer it, and runs again in a minute or an hour, so the clock is moved by that time.
 */
export async function untilDone<T>(
  registrar: TestService,
  read: () => Promise<T>,
  isSo: (found: T) => boolean,
): Promise<T> {
  const nudge = setInterval(() => void registrar.advance('PT61M'), 2_000)
  return until(read, isSo).finally(() => clearInterval(nudge))
}

/** It runs twice, because a first round may have begun before the registries' clock was moved. */
export async function hasRun(registrar: TestService, job: string): Promise<void> {
  const rows = rowsIn(registrar)
  for (const _ of [1, 2]) {
    const [{ since }] = await rows('select clock_timestamp() as since')
    // It wakes the job.
    await registrar.advance('PT1S')
    const ended = 'select from schedules where name = $1 and last_succeeded_at > $2'
    await until(
      () => rows(ended, [job, since]),
      ({ length }) => length > 0,
    )
  }
}
