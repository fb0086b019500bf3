// A campaign of random requests by one kind of caller: reads the documents of the running service,
// sends, and checks each answer and the service's log.
import fc from 'fast-check'
import { unconfigured } from '../contract/support/unconfigured.ts'
import { exchange } from '../support/http.ts'
import { type Answer, answerOf, type TestService } from '../support/service.ts'
import { openAnswerCheck } from './answers.ts'
import { type CallerKind, type Credential, openCaller } from './callers.ts'
import { Dictionary } from './dictionary.ts'
import { type Document, type FuzzRequest, requestsOf, type Tool } from './requests.ts'

type Campaign = { caller: CallerKind; requests: number; seed: number }
export type Report = Campaign & {
  seconds: number
  /** How many answers had each status. */
  statuses: Record<string, number>
  /** Operations and tools that were sent, and those of them that succeeded at least once. */
  called: number
  succeeded: number
  /** Those that let the caller in, and refused every request of this campaign. */
  always_refused: string[]
  /** Each finding, with its count and the first request. */
  findings: { what: string; times: number; example: string }[]
}

const at_once = 12
const batch = 60
/** After this many requests an account is used up: closed, suspended, or without money. */
const requests_of_an_account = 1_500

/** They move the time, and arm faults, for all customers: an operator must not send them here. */
const left_out = ['move_sandbox_clock', 'arm_sandbox_fault']

export async function runCampaign(
  registrar: TestService,
  campaign: Campaign,
  progress: (sent: number) => void = () => undefined,
): Promise<Report> {
  const began = performance.now()
  const { caller, requests, seed } = campaign
  const run = await openRun(registrar, campaign)
  let credential = await openCaller(registrar, caller, run.dictionary)
  let used = 0
  for (let sent = 0; sent < requests; sent += batch) {
    if (used >= requests_of_an_account || run.isRejected) {
      credential = await openCaller(registrar, caller, run.dictionary)
      run.isRejected = false
      used = 0
    }
    const numRuns = Math.min(batch, requests - sent)
    const next = fc.sample(run.arbitrary, { seed: seed * 1_000_003 + sent, numRuns })
    for (let from = 0; from < next.length; from += at_once)
      await Promise.all(next.slice(from, from + at_once).map((one) => run.send(one, credential)))
    used += numRuns
    run.readLog()
    progress(sent + numRuns)
  }
  return { ...campaign, ...run.report(), seconds: (performance.now() - began) / 1_000 }
}

async function openRun(registrar: TestService, { caller }: Campaign) {
  const dictionary = new Dictionary()
  const documents = await documentsOf(registrar)
  const isSent = (name: string) => caller !== 'operator' || !left_out.includes(name)
  const check = openAnswerCheck(documents, namesOf(documents.document, unconfigured))
  const statuses: Record<string, number> = {}
  const [called, reached, succeeded] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const findings = new Map<string, { times: number; example: string }>()
  const find = (what: string, example: string) => {
    const known = findings.get(what)
    findings.set(what, { times: (known?.times ?? 0) + 1, example: known?.example ?? example })
  }

  const run = {
    dictionary,
    arbitrary: requestsOf(documents, dictionary, isSent),
    /** The credential has ended: the account was closed, or the key revoked. */
    isRejected: false,
    async send(request: FuzzRequest, credential: Credential) {
      const answer = await ask(registrar.url, request, credential)
      const { status, body } = answer
      const name = `${request.surface} ${request.of}`
      statuses[status] = (statuses[status] ?? 0) + 1
      called.add(name)
      if (![401, 403, 429].includes(status)) reached.add(name)
      if (status < 300 && !body.result?.isError && !body.error) {
        succeeded.add(name)
        dictionary.harvest(body.result?.structuredContent ?? body, request.route)
      }
      const code = body.code ?? body.error?.data?.code
      if (['invalid_token', 'account_suspended'].includes(code)) run.isRejected = true
      const what = check(request, answer)
      if (what !== undefined) find(`${name}: ${what}`, exampleOf(request, answer))
    },
    /** An error in the log that no answer shows is a finding, too. */
    readLog() {
      for (const line of registrar.logs.splice(0))
        if (isError(line)) find(`log: ${JSON.parse(line).msg}`, line.slice(0, 3_000))
    },
    report: () => ({
      statuses,
      called: called.size,
      succeeded: succeeded.size,
      always_refused: [...reached].filter((name) => !succeeded.has(name)).sort(),
      findings: [...findings].map(([what, found]) => ({ what, ...found })),
    }),
  }
  return run
}

/** This leaves out the part of the service that is not configured here. */
function isError(line: string): boolean {
  return /"level":[56]0/.test(line) && !line.includes('"error_code":"not_configured"')
}

async function documentsOf(registrar: TestService): Promise<{ document: Document; tools: Tool[] }> {
  const { text } = await registrar.request('GET', '/openapi.json')
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const listed = await registrar.request('POST', '/mcp', { body })
  return { document: JSON.parse(text), tools: listed.body.result.tools }
}

/** Operations by name, for which the tests' nodes lack a setting. */
function namesOf({ paths }: Document, ats: ReadonlySet<string>): ReadonlySet<string> {
  const all = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      return { at: `${method.toUpperCase()} ${route}`, operationId }
    }),
  )
  return new Set(all.filter(({ at }) => ats.has(at)).map(({ operationId }) => operationId))
}

async function ask(url: string, request: FuzzRequest, credential: Credential): Promise<Answer> {
  const { method, path, headers, body, surface } = request
  const isSent = body !== undefined && method !== 'GET'
  const received = await exchange(`${url}${path}`, {
    method,
    headers: { ...headers, ...credential[surface] },
    ...(isSent && { body: Buffer.from(body) }),
  })
  return answerOf(received)
}

function exampleOf({ method, path, body }: FuzzRequest, { status, text }: Answer): string {
  const sent = `${method} ${path.slice(0, 300)} ${body?.slice(0, 600) ?? ''}`
  return `${sent}\n      ${status} ${text.slice(0, 900)}`
}
