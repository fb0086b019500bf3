// Fixtures for the conformance suite: tools, resources and prompts with
// these names and answers. No round trips here; those are in fixture-rounds.ts.
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'

// A PNG of one red pixel, and a WAV of no samples.
const redPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const image = {
  data: redPixel,
  mimeType: 'image/png',
}
const audio = {
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
}

/** A tool that takes no arguments. */
export function plainTool(name: string, description: string): Tool {
  return { name, description, inputSchema: { type: 'object', properties: {} } }
}

export function textContent(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

type ContentTool = { tool: Tool; run: (ctx: ServerContext) => Promise<CallToolResult> }

function always(name: string, description: string, result: CallToolResult): ContentTool {
  return { tool: plainTool(name, description), run: async () => result }
}

const schema2020: ContentTool = {
  tool: {
    name: 'json_schema_2020_12_tool',
    description: 'Its schema has the words of JSON Schema 2020-12',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  run: async () => textContent('Called'),
}

async function logThrice({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const words of ['execution started', 'processing data', 'execution completed'])
    await mcpReq.log('info', `Tool ${words}`)
  return textContent('It has logged three times')
}

async function progressThrice({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of progressToken === undefined ? [] : [0, 50, 100])
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 100 },
    })
  return textContent('It has reported its progress')
}

export const contentTools: readonly ContentTool[] = [
  always('test_simple_text', 'A text', textContent('This is a simple text for testing.')),
  always('test_image_content', 'An image', { content: [{ type: 'image', ...image }] }),
  always('test_audio_content', 'A sound', { content: [{ type: 'audio', ...audio }] }),
  always('test_embedded_resource', 'A resource in the answer', {
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
      },
    ],
  }),
  always('test_multiple_content_types', 'A text, an image and a resource', {
    content: [
      { type: 'text', text: 'Several kinds:' },
      { type: 'image', ...image },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  always('test_error_handling', 'It always fails', {
    content: [{ type: 'text', text: 'This tool fails on purpose' }],
    isError: true,
  }),
  { tool: plainTool('test_tool_with_logging', 'It logs'), run: logThrice },
  { tool: plainTool('test_logging_tool', 'It logs to those who ask for it'), run: logThrice },
  { tool: plainTool('test_tool_with_progress', 'It reports its progress'), run: progressThrice },
  schema2020,
]

export const resources: Resource[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
]
export const templates: ResourceTemplateType[] = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
]

/** It is undefined if there is no such resource. */
export function readResource(uri: string): ReadResourceResult | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  }
  const found = resources.find((one) => one.uri === uri)
  if (!found) return undefined
  return found.mimeType === 'image/png'
    ? { contents: [{ uri, mimeType: image.mimeType, blob: image.data }] }
    : { contents: [{ uri, mimeType: 'text/plain', text: `The content of ${found.name}.` }] }
}

type Arguments = Record<string, string>
type PlainPrompt = { prompt: Prompt; messages: (given: Arguments) => GetPromptResult['messages'] }

function userMessage(text: string): GetPromptResult['messages'][number] {
  return { role: 'user', content: { type: 'text', text } }
}

function needed(name: string) {
  return { name, description: `The ${name}`, required: true }
}

export const plainPrompts: readonly PlainPrompt[] = [
  {
    prompt: { name: 'test_simple_prompt', description: 'One sentence' },
    messages: () => [userMessage('This is a simple prompt for testing.')],
  },
  {
    prompt: {
      name: 'test_prompt_with_arguments',
      description: 'It repeats its arguments',
      arguments: [needed('arg1'), needed('arg2')],
    },
    messages: ({ arg1, arg2 }) => [userMessage(`With arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    prompt: {
      name: 'test_prompt_with_embedded_resource',
      description: 'It holds a resource',
      arguments: [needed('resourceUri')],
    },
    messages: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' },
        },
      },
      userMessage('Please use the resource above.'),
    ],
  },
  {
    prompt: { name: 'test_prompt_with_image', description: 'It holds an image' },
    messages: () => [
      { role: 'user', content: { type: 'image', ...image } },
      userMessage('Please look at the image above.'),
    ],
  },
]
