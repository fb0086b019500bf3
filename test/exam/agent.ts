// The scripted agent: an MCP client of a page, with the names of its orders and nothing else. It
// takes its next step from the last answer.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Knowledge, type Outgoing, type Received, Unanswered } from './knowledge.ts'
import { type Transcript, trimmed } from './transcript.ts'

type Fields = Record<string, unknown>
type Plan = {
  does: string
  why: string
  /** The fields of the answer that the transcript shows. */
  shows?: readonly string[]
} & Pick<Outgoing, 'cut_after_ms'>
/** A tool's answer, or the problem that it answers with. */
export type ToolAnswer = {
  ok: boolean
  status: number
  data: Fields & { next_action?: NextAction }
}
type NextAction = { type: string; hint: string; url: string | null }
type Tool = { name: string; inputSchema: { properties?: Fields } }

const emptyMemory = () => ({
  ...{ endpoint: '', resource: '', client_id: '', authorize_url: '', token_url: '' },
  ...{ token: '', refresh_token: '' },
})

export type ExamAgent = ReturnType<typeof openAgent>

export function openAgent(knowledge: Knowledge, transcript: Transcript) {
  const memory = emptyMemory()
  const tools = new Map<string, Tool>()
  const verifier = randomBytes(32).toString('base64url')
  let id = 0

  const step = (plan: Plan, sent: Sent) =>
    take(plan, sent, { knowledge, transcript, endpoint: memory.endpoint })

  async function post(plan: Plan, message: Fields, shown: string): Promise<Received> {
    id += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...message })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(memory.token !== '' && { authorization: `Bearer ${memory.token}` }),
    }
    const outgoing = { method: 'POST', headers, body }
    return step(plan, { url: memory.endpoint, outgoing, shown })
  }

  /** The URL at which the owner consents, from the metadata that was read. */
  function authorizeUrl(asked: Record<string, string>): string {
    knowledge.source(memory.authorize_url)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    return `${memory.authorize_url}?${new URLSearchParams({ ...asked, ...pkce })}`
  }

  return {
    memory,
    authorizeUrl,
    step,
    post,
    wait: (seconds: number) => sleep(seconds * 1_000),
    /** Keeps the tools of a list. */
    keepTools(listed: Tool[]): void {
      for (const tool of listed) tools.set(tool.name, tool)
    },
    /** Calls a tool that a list has shown, with fields that its schema has. */
    async call(plan: Plan, name: string, args: Fields = {}): Promise<ToolAnswer> {
      const tool = tools.get(name)
      assert.ok(tool, `no list has shown the tool ${name}`)
      for (const field of Object.keys(args))
        assert.ok(field in (tool.inputSchema.properties ?? {}), `${name} shows no field ${field}`)
      const message = { method: 'tools/call', params: { name, arguments: args } }
      return answerOf(await post(plan, message, `${name} ${trimmed(args)}`))
    },
    /** Tokens for a code or a refresh token. */
    async tokens(plan: Plan, fields: Record<string, string>): Promise<void> {
      const { client_id, token_url } = memory
      const grant = 'code' in fields ? { ...fields, code_verifier: verifier } : fields
      const outgoing = formOf({ ...grant, client_id })
      const shown = `grant_type=${fields.grant_type}`
      const received = await step(plan, { url: token_url, outgoing, shown })
      assert.equal(received.status, 200, received.text)
      memory.token = String(received.body.access_token)
      memory.refresh_token = String(received.body.refresh_token)
    },
  }
}

type Sent = { url: string; outgoing?: Outgoing; shown?: string }
type Taking = { knowledge: Knowledge; transcript: Transcript; endpoint: string }

/** Sends a request, notes its step, and learns from the answer. */
async function take(
  plan: Plan,
  { url, outgoing = {}, shown }: Sent,
  { knowledge, transcript, endpoint }: Taking,
): Promise<Received> {
  const { does, why, cut_after_ms } = plan
  const line = `${outgoing.method ?? 'GET'} ${url}${shown === undefined ? '' : `\n${shown}`}`
  const from = knowledge.source(url.split('?')[0] ?? url)
  const isKnown = from === 'given' || url === endpoint
  const reason = isKnown ? why : `${why} The URL is from ${from}.`
  try {
    const cut = cut_after_ms === undefined ? {} : { cut_after_ms }
    const received = await knowledge.request(url, { ...outgoing, ...cut })
    knowledge.learn(`${JSON.stringify(received.headers)} ${unescaped(received)}`)
    const { outcome, answer } = readable(received, plan.shows)
    transcript.add({ by: 'agent', does, why: reason, request: line, outcome, answer })
    return received
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    const outcome = 'no answer'
    transcript.add({ by: 'agent', does, why: reason, request: line, outcome })
    throw error
  }
}

function formOf(fields: Record<string, string>): Outgoing {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers, body: new URLSearchParams(fields).toString() }
}

/** JSON in the text of a tool's answer is read, too. */
function unescaped({ text, body }: Received): string {
  const inner = body.result?.content?.[0]?.text
  return typeof inner === 'string' ? `${text} ${inner}` : text
}

function answerOf({ status, body, text }: Received): ToolAnswer {
  if (body.error) return { ok: false, status, data: body.error.data ?? body.error }
  const { result } = body
  assert.ok(result, text)
  if (!result.isError) return { ok: true, status, data: Object(result.structuredContent) }
  const data = JSON.parse(result.content[0].text)
  return { ok: false, status: data.status, data }
}

const problemFields = [
  ...['code', 'detail', 'next_action', 'retry_after_s', 'missing', 'price', 'approval', 'until'],
  ...['left', 'suggestions', 'required_scope', 'scopes_wanted'],
]

/** The outcome in a word, and the part of the answer that counts. */
function readable(
  received: Received,
  shows?: readonly string[],
): { outcome: string; answer: string } {
  const { status, headers, body, text } = received
  if (!('jsonrpc' in body)) {
    const link = [headers.link, headers.location].filter(Boolean).join('\n')
    const part = 'code' in body ? trimmed(body, problemFields) : trimmed(body, shows)
    return { outcome: String(status), answer: `${status} ${link || plainPart(text, body, part)}` }
  }
  if (body.result && !body.result.isError) {
    const listed = body.result.tools?.map(({ name }: Tool) => name)
    const data = body.result.structuredContent ?? (listed ? { tools: listed } : body.result)
    return { outcome: String(status), answer: trimmed(data, shows) }
  }
  const challenge = headers['www-authenticate']
  const { data } = answerOf(received)
  const answer = `${data.status} ${trimmed(data, problemFields)}`
  return {
    outcome: `${data.status} ${data.code}`,
    answer: challenge === undefined ? answer : `${answer}\nWWW-Authenticate: ${challenge}`,
  }
}

function plainPart(text: string, body: object, part: string): string {
  return Object.keys(body).length > 0 ? part : `${text.slice(0, 320)}...`
}
