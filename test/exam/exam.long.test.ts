// The agent exam, and its transcript beside the document.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { takeExam } from './exam.ts'
import { openExamPlace } from './place.ts'
import { documentOf, headingsOf } from './transcript.ts'

const file = join(import.meta.dirname, '../../docs/agent-exam.md')
const place = await openExamPlace()
after(() => place.close())

test('an agent that knows only the URL passes the exam, as its transcript shows', async () => {
  const transcript = await takeExam(place)
  const written = documentOf(transcript, place.node.url)
  if (process.env.WRITE_EXAM === 'true') writeFileSync(file, written)
  assert.deepEqual(headingsOf(written), headingsOf(readFileSync(file, 'utf8')))
})
