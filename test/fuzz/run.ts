// bin/fuzz: a number of random requests as each kind of caller, two kinds at a time, each with a
// service and a database of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { programOptions } from '../../bin/program-options.ts'
import { mapParallel } from '../disasters/support/parallel.ts'
import { globalSetup, globalTeardown } from '../support/global-setup.ts'
import { callers } from './callers.ts'

const usage = `bin/fuzz [--requests N] [--seed S] [--callers ${callers.join(',')}]`
const values = programOptions(usage, {
  requests: { type: 'string', default: '10000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  callers: { type: 'string', default: callers.join(',') },
})

/** The exit code of the campaign of one caller. */
async function run(caller: string): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fuzz.long.test.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_CALLERS: caller,
      FUZZ_REQUESTS: values.requests,
      FUZZ_SEED: values.seed,
    },
  })
  const [code] = await once(child, 'exit')
  return Number(code ?? 1)
}

await globalSetup()
try {
  const began = performance.now()
  const codes = await mapParallel(values.callers.split(','), 2, run)
  const seconds = Math.round((performance.now() - began) / 1_000)
  process.stdout.write(`seed ${values.seed}, ${codes.length} kinds of callers, ${seconds} s\n`)
  process.exitCode = Math.max(...codes)
} finally {
  await globalTeardown()
}
