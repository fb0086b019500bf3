// A program that runs concurrent log-ins, each from its own address. Each is repeated as soon as it
// is answered, or after a pause when it is refused. A line "go" on stdin starts it, and "end"
// prints the count of each status.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const { SERVICE_URL: url = '', LOGINS: logins = '[]', SIZE: size = '0' } = process.env
const bodies: string[] = JSON.parse(logins).map((login: unknown) => JSON.stringify(login))
const refused_ms = 500
let answers: Record<number, number> = {}
let isOver = true
let all: Promise<void>[] = []

async function logIn(number: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `${20 + (number % 200)}.${number % 250}.7.1`,
  }
  while (!isOver) {
    const body = bodies[number % bodies.length] ?? ''
    const answer = await fetch(`${url}/v1/dashboard/login`, { method: 'POST', headers, body })
    await answer.text()
    answers[answer.status] = (answers[answer.status] ?? 0) + 1
    if (!answer.ok) await sleep(refused_ms)
  }
}

process.on('SIGTERM', () => process.exit(0))
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'go') {
    answers = {}
    isOver = false
    all = Array.from({ length: Number(size) }, (_, number) => logIn(number))
    process.stdout.write('begun\n')
    continue
  }
  isOver = true
  await Promise.all(all)
  process.stdout.write(`${JSON.stringify(answers)}\n`)
}
