// Scans of malicious servers: answers without an end, about other zones, from another party, or
// with arbitrary text. Each costs a bounded time and memory, and nothing of it is believed.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { rrType } from '../../../dns/types.ts'
import { monotonicMs } from '../../../kit/clock.ts'
import { FramedMessages, framed } from './framed-messages.ts'
import { scanZone } from './scan-zone.ts'
import {
  type AskedServer,
  answering,
  plainly,
  type ServerOfTest,
  soaLine,
  startServerOfTest,
} from './scanned-server.fixture.ts'

const zone = 'old.test'
const closers: (() => Promise<void>)[] = []
after(() => Promise.all(closers.map((close) => close())))

async function started(reply: Parameters<typeof startServerOfTest>[0]): Promise<ServerOfTest> {
  const server = await startServerOfTest(reply)
  closers.push(server.close)
  return server
}

const www: { name: string; types: number[] }[] = [{ name: `www.${zone}`, types: [rrType.a] }]

async function scan({ place }: ServerOfTest, { limit_ms = 30_000, questions = www } = {}) {
  const { servers, packets } = await scanZone({
    ...{ zone, questions, signal: AbortSignal.timeout(limit_ms) },
    servers: [{ name: 'ns1.old.test', places: [place] }],
    pace: { slot_ms: 1, reserve: async () => 0 },
  })
  const [server] = servers
  assert.ok(server)
  return { ...server, packets }
}

/** Answers like a correct server, except for the questions that `reply` answers. */
const but =
  (lines: string[], reply: (asked: AskedServer) => readonly Buffer[] | null) =>
  (asked: AskedServer) =>
    reply(asked) ?? plainly(zone, lines)(asked)

it('follows a chain of aliases without an end only so far', async () => {
  let made = 0
  const server = await started((asked) => {
    if (asked.name === zone || asked.type === rrType.axfr) return plainly(zone, [])(asked)
    made += 1
    return [answering(asked, { answer: [`${asked.name}. 60 CNAME a${made}.${zone}.`] })]
  })
  const { sets, packets } = await scan(server)
  assert.ok(sets.size > 0 && sets.size < 110, String(sets.size))
  assert.ok(packets < 500, String(packets))
})

it('takes nothing of other zones, and no record that the question was not about', async () => {
  const server = await started(
    but([], (asked) =>
      asked.name === `www.${zone}`
        ? [
            answering(asked, {
              answer: [
                `www.${zone}. 60 CNAME victim.test.`,
                'victim.test. 60 A 192.0.2.66',
                `mail.${zone}. 60 A 192.0.2.66`,
              ],
              authority: ['victim.test. 60 NS ns.evil.test.'],
              additional: ['ns.victim.test. 60 A 192.0.2.66'],
            }),
          ]
        : null,
    ),
  )
  const { sets } = await scan(server)
  assert.deepEqual([...sets.keys()], ['www.old.test 5'])
  assert.ok(!server.asked.some((one) => one.includes('victim')))
})

it('believes no answer with another id or question, from another port, or that is broken', async () => {
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  closers.push(async () => void other.close())
  const right = ['www.old.test. 60 A 192.0.2.1']
  const server = await started(
    but(right, (asked) => {
      if (asked.name !== `www.${zone}` || asked.over === 'tcp') return null
      const false_answer = { answer: ['www.old.test. 60 A 192.0.2.66'] }
      const [true_answer] = plainly(zone, right)(asked)
      const renamed = Buffer.from(asked.question)
      renamed[1] = 'v'.charCodeAt(0)
      const typed = Buffer.from(asked.question)
      typed.writeUInt16BE(rrType.aaaa, typed.length - 4)
      return [
        answering({ ...asked, id: (asked.id + 1) & 0xffff }, false_answer),
        answering({ ...asked, question: renamed }, false_answer),
        answering({ ...asked, question: typed }, false_answer),
        answering({ ...asked, question: Buffer.alloc(0) }, false_answer),
        answering(asked, false_answer).subarray(0, -1),
        Buffer.concat([answering(asked, false_answer), Buffer.from('more')]),
        Buffer.alloc(5),
        ...(true_answer ? [true_answer] : []),
      ]
    }),
  )
  const { sets } = await scan(server)
  const [found] = [...sets.values()]
  assert.deepEqual(found?.rdata, [Buffer.from([192, 0, 2, 1])])
})

it('waits only so long for an answer that comes octet by octet', async () => {
  const server = await started((asked) => {
    const isDripped = asked.name !== zone || asked.type === rrType.axfr
    if (!isDripped) return plainly(zone, [])(asked)
    if (asked.over === 'udp') return [answering(asked, { cut: true })]
    return (async function* () {
      for (const octet of answering(asked, { answer: [`www.${zone}. 60 A 192.0.2.1`] })) {
        yield Buffer.of(octet)
        await sleep(200)
      }
    })()
  })
  const began = monotonicMs()
  const { sets, complete } = await scan(server, { limit_ms: 3_000 })
  assert.ok(monotonicMs() - began < 5_000)
  assert.deepEqual([sets.size, complete], [0, false])
})

it('takes 4,000 sets of a copied zone, and ends one that does not end', async () => {
  let messages = 0
  const server = await started((asked) => {
    if (asked.type !== rrType.axfr) return plainly(zone, [])(asked)
    return (async function* () {
      yield answering(asked, { answer: [soaLine(zone)] })
      for (; messages < 2_000; messages += 1) {
        const answer = Array.from(
          { length: 100 },
          (_, i) => `n${messages}x${i}.${zone}. 60 A 192.0.2.1`,
        )
        yield answering(asked, { answer })
      }
    })()
  })
  const { sets, copy, complete } = await scan(server)
  assert.deepEqual([copy, complete], ['cut', false])
  assert.ok(sets.size <= 4_000, String(sets.size))
})

it('bounds what one set and one answer may be', async () => {
  const text = 'x'.repeat(250)
  const values = Array.from({ length: 220 }, (_, i) => `www.${zone}. 60 TXT "${i} ${text}"`)
  const server = await started(
    but([], (asked) => {
      if (asked.name !== `www.${zone}`) return null
      return [answering(asked, asked.over === 'udp' ? { cut: true } : { answer: values })]
    }),
  )
  const { sets } = await scan(server, { questions: [{ name: `www.${zone}`, types: [rrType.txt] }] })
  const [set] = [...sets.values()]
  assert.equal(set?.rdata.length, 220)
})

it('reads any octets as an answer, or as none', async () => {
  let octets = Buffer.alloc(0)
  const server = await started(
    but([], (asked) => {
      if (asked.name !== `www.${zone}` || asked.over === 'tcp') return null
      const head = answering(asked, {})
      return [Buffer.concat([head, octets]), ...plainly(zone, [])(asked)]
    }),
  )
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (some) => {
    octets = Buffer.from(some)
    // One record, or several.
    const { sets } = await scan(server)
    assert.ok(sets.size <= 1)
  })
  await fc.assert(property, { numRuns: 50 })
})

it('puts messages together whatever their pieces are', () => {
  const property = fc.property(
    fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }),
    fc.integer({ min: 1, max: 50 }),
    (messages, size) => {
      const all = Buffer.concat(messages.map((one) => framed(Buffer.from(one))))
      const frames = new FramedMessages()
      const read: Buffer[] = []
      for (let at = 0; at < all.length; at += size)
        read.push(...frames.add(all.subarray(at, at + size)))
      assert.deepEqual(
        read,
        messages.map((one) => Buffer.from(one)),
      )
    },
  )
  fc.assert(property)
})
