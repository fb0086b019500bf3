// The log-in of a session: its language, its services, and the one further log-in without the
// optional services.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fixture } from '../fixtures/fixtures.ts'
import { answer, framed, type Script, startScriptedServer } from '../fixtures/scripted-server.ts'
import { sessionSettings } from '../fixtures/settings.ts'
import { ns } from '../xml/xml.ts'
import { openSession } from './session.ts'

const ok: Script = ({ cl_trid }) => answer(1000, cl_trid)

async function serve(
  t: TestContext,
  script: Script,
  greeting = fixture('greeting.xml').toString(),
) {
  const server = await startScriptedServer(script, { greeting: framed(greeting), every: true })
  t.after(() => server.close())
  return server
}

const languages: [announced: string[], expected: string][] = [
  [['en'], 'en'],
  [['de', 'en'], 'en'],
  [['nl', 'EN'], 'EN'],
  [['fr', 'en-US', 'en-GB'], 'en-US'],
  [['eng', 'pl'], 'eng'],
  [['pl', 'de'], 'pl'],
  [[], 'en'],
]
for (const [announced, expected] of languages)
  test(`speaks ${expected} with a server that announces ${announced.join(', ') || 'none'}`, async (t) => {
    const langs = announced.map((lang) => `<lang>${lang}</lang>`).join('')
    const text = fixture('greeting.xml').toString().replace('<lang>en</lang>', langs)
    const server = await serve(t, ok, text)
    const opened = await openSession(sessionSettings(server))
    opened.destroy()
    assert.match(server.received[0]?.xml ?? '', new RegExp(`<lang>${expected}</lang>`))
  })

for (const closes of [false, true])
  test(`logs in without the optional services where they are refused${closes ? ', and the session ended' : ''}`, async (t) => {
    const script: Script = ({ xml, cl_trid, socket }) => {
      if (!xml.includes('rgp-1.0')) return answer(1000, cl_trid)
      if (!closes) return answer(2103, cl_trid)
      socket.end(framed(answer(2103, cl_trid)))
      return null
    }
    const server = await serve(t, script)
    const reduced: string[] = []
    const onReduced = (message: string) => {
      reduced.push(message)
    }
    const extensions = { required: [ns.fee], optional: [ns.rgp] }
    const opened = await openSession(sessionSettings(server, { extensions, onReduced }))
    opened.destroy()
    const second = server.received[1]?.xml ?? ''
    assert.equal(server.received.length, 2)
    assert.ok(second.includes(ns.fee) && !second.includes(ns.contact), second)
    assert.match(reduced.join(), /2103/)
  })

test('a log-in is tried once more only where that may help', async (t) => {
  for (const code of [2200, 2501, 2502, 2400]) {
    const server = await serve(t, ({ cl_trid }) => answer(code, cl_trid))
    await assert.rejects(openSession(sessionSettings(server)), { code })
    assert.equal(server.received.length, 1, String(code))
  }
  const server = await serve(t, ({ cl_trid }) => answer(2103, cl_trid))
  const objects = { required: [ns.domain], optional: ['urn:not-offered'] }
  const extensions = { required: [], optional: [] }
  const own = { objects, extensions }
  await assert.rejects(openSession(sessionSettings(server, own)), { code: 2103 })
  assert.equal(server.received.length, 1, 'without optional ones')
})
