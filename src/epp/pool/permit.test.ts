// A command with a permit, which is requested once a session is held, right before the first byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, ok, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'

const nameIn = (xml: string) => /name[^>]*>([^<]*)</.exec(xml)?.[1]

test('is asked once the command before has its answer, and its refusal keeps it from the registry', async (t) => {
  const steps: string[] = []
  let arrived = () => {}
  const isHeld = new Promise<void>((resolve) => {
    arrived = resolve
  })
  let release = () => {}
  const script: Script = ({ xml, cl_trid }) => {
    const name = nameIn(xml)
    steps.push(`sent ${name}`)
    if (name !== 'first') return answer(1000, cl_trid)
    arrived()
    return new Promise((resolve) => {
      release = () => resolve(answer(1000, cl_trid))
    })
  }
  const { pool, server } = await setUpPool(t, script, { sessions: 1 })
  const first = ask(pool, { name: 'first' })
  await isHeld
  const refused = assert.rejects(
    ask(pool, {
      name: 'second',
      permit: async () => {
        steps.push('asked')
        throw new RangeError('no longer')
      },
    }),
    RangeError,
  )
  steps.push('released')
  release()
  await Promise.all([first, refused])
  await ask(pool, { name: 'third' })
  assert.deepEqual(steps, ['sent first', 'released', 'asked', 'sent third'])
  assert.equal(server.sockets.size, 1, 'the session goes on')
})

test('is asked again before the command is sent again', async (t) => {
  let asked = 0
  const script: Script = ({ cl_trid }) => answer(asked === 1 ? 2002 : 1000, cl_trid)
  const { pool } = await setUpPool(t, script, { sessions: 1 })
  const permit = async () => {
    asked += 1
  }
  assert.equal((await ask(pool, { name: 'one', permit })).code, 1000)
  assert.equal(asked, 2)
})

test('one that is granted is no other command', async (t) => {
  const { pool } = await setUpPool(t, ok, { sessions: 1 })
  assert.equal((await ask(pool, { permit: async () => true })).code, 1000)
})
