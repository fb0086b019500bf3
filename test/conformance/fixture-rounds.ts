// The suite's tools and the prompt that ask the client for something first (2026-07-28: an
// input_required result, then the same request again with the answers).
import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Prompt,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { plainTool, textContent } from './fixture-contents.ts'

/** Seals the state that travels through the client; the server verifies it before a handler. */
export const stateCodec = createRequestStateCodec<string>({ key: randomBytes(32) })

type Asking = {
  tool: Tool
  run: (ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>
}

function question(message: string, field: string) {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
    },
  })
}

function thought(text: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  })
}

const whoAreYou = { user_name: question('What is your name?', 'name') } satisfies InputRequests
const three = {
  ...whoAreYou,
  greeting: thought('Write a greeting'),
  client_roots: inputRequired.listRoots(),
} satisfies InputRequests

function answered({ mcpReq }: ServerContext, key: string): boolean {
  return inputResponse(mcpReq.inputResponses, key).kind !== 'missing'
}

/** Asks these until each is answered, without a state. */
function asks(name: string, description: string, inputRequests: InputRequests): Asking {
  return {
    tool: plainTool(name, description),
    run: async (ctx) =>
      Object.keys(inputRequests).every((key) => answered(ctx, key))
        ? textContent(`Thank you: ${JSON.stringify(ctx.mcpReq.inputResponses)}`)
        : inputRequired({ inputRequests }),
  }
}

/** Asks these once; the second time the sealed state must come back. */
function asksWithState(name: string, description: string, inputRequests: InputRequests): Asking {
  return {
    tool: plainTool(name, description),
    run: async (ctx) =>
      ctx.mcpReq.requestState<string>() === name
        ? textContent('state-ok')
        : inputRequired({ inputRequests, requestState: await stateCodec.mint(name) }),
  }
}

const confirm: InputRequests = {
  confirm: inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  }),
}

async function twoSteps({ mcpReq }: ServerContext) {
  const state = mcpReq.requestState<string>()
  if (state === 'second') return textContent('Both steps are done')
  const [requestState, inputRequests] =
    state === 'first'
      ? ['second', { step2: question('Step 2: Which colour?', 'color') }]
      : ['first', { step1: question('Step 1: Which name?', 'name') }]
  return inputRequired({ inputRequests, requestState: await stateCodec.mint(requestState) })
}

/** Asks only what the client says it can answer. */
async function whatTheClientCan({ mcpReq }: ServerContext) {
  const can: Record<string, unknown> = Object(Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY])
  return inputRequired({
    inputRequests: {
      ...(can.elicitation ? whoAreYou : {}),
      ...(can.sampling ? { greeting: three.greeting } : {}),
    },
  })
}

const prefix = 'test_input_required_result'

export const askingTools: readonly Asking[] = [
  asks(`${prefix}_elicitation`, 'It asks the person', whoAreYou),
  asks(`${prefix}_sampling`, 'It asks the model', {
    capital_question: thought('What is the capital of France?'),
  }),
  asks(`${prefix}_list_roots`, 'It asks for the roots', {
    client_roots: inputRequired.listRoots(),
  }),
  asksWithState(`${prefix}_request_state`, 'It keeps a state with the client', confirm),
  asksWithState(`${prefix}_tampered_state`, 'It notices a changed state', confirm),
  asksWithState(`${prefix}_multiple_inputs`, 'It asks three things at once', three),
  { tool: plainTool(`${prefix}_multi_round`, 'It asks twice'), run: twoSteps },
  { tool: plainTool(`${prefix}_capabilities`, 'It asks what it may'), run: whatTheClientCan },
  asks('test_missing_capability', 'It needs a client that samples', { greeting: three.greeting }),
  asks('test_streaming_elicitation', 'It asks the person, in a stream', whoAreYou),
]

export const askingPrompt: Prompt = { name: `${prefix}_prompt`, description: 'It asks the person' }

export async function getAskingPrompt(
  ctx: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const { context } = acceptedContent(ctx.mcpReq.inputResponses, 'context') ?? {}
  if (context === undefined)
    return inputRequired({ inputRequests: { context: question('In which context?', 'context') } })
  const text = `The context is ${String(context)}`
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
