// A JSON-RPC endpoint between the service and a chain, with the faults of real ones.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import type { AtEnd } from './anvil.ts'

type Request = { id: number; method: string; params: unknown[] }
type Result = { id: number; result?: unknown; error?: unknown }

/**
 * How requests are answered; `changed`: one result is replaced by another; `limited`: logs of more
 * blocks are refused.
 */
export type Fault =
  | { kind: 'none' | 'silent' | 'trickle' | 'garbage' | 'huge' | 'redirect' | 'error' | 'html' }
  | { kind: 'limited'; blocks: number }
  | { kind: 'changed'; method: string; change: (result: unknown) => unknown }
  | { kind: 'unlike'; answer: Unlike }

/** Another node's result, for the method and the result of the chain. */
export type Unlike = (method: string, result: unknown) => unknown

/** `calls`: by method; a request may be a batch of many. */
export type RpcProxy = {
  url: string
  fault: Fault
  requests: number
  calls: Map<string, number>
}

export async function startRpcProxy(target: string, atEnd: AtEnd = after): Promise<RpcProxy> {
  const server = createServer(async (request, response) => {
    proxy.requests += 1
    const body = await text(request)
    const { fault, calls } = proxy
    for (const method of methodsOf(body)) calls.set(method, (calls.get(method) ?? 0) + 1)
    if (isPassedOn(fault))
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(await passedOn(target, body, fault)))
    respondBadly(response, fault.kind, target)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  const url = `http://127.0.0.1:${address.port}/v3/secret-key`
  const proxy: RpcProxy = { url, fault: { kind: 'none' }, requests: 0, calls: new Map() }
  return proxy
}

type PassedOn = Extract<Fault, { kind: 'none' | 'changed' | 'limited' | 'unlike' }>

function isPassedOn(fault: Fault): fault is PassedOn {
  return ['none', 'changed', 'limited', 'unlike'].includes(fault.kind)
}

function methodsOf(body: string): string[] {
  const asked: Request | Request[] = JSON.parse(body)
  return [asked].flat().map(({ method }) => method)
}

async function passedOn(target: string, body: string, fault: PassedOn): Promise<unknown> {
  const asked: Request | Request[] = JSON.parse(body)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(target, { method: 'POST', headers, body })
  const results: Result | Result[] = JSON.parse(await answer.text())
  const change = (result: Result): Result => {
    const request = [asked].flat().find(({ id }) => id === result.id)
    if (fault.kind === 'limited' && blocksIn(request) > fault.blocks) {
      const error = { code: -32_005, message: 'query returned more than 10000 results' }
      return { id: result.id, error }
    }
    if (fault.kind === 'unlike' && request)
      return { ...result, result: fault.answer(request.method, result.result) }
    if (fault.kind !== 'changed' || request?.method !== fault.method) return result
    return { ...result, result: fault.change(result.result) }
  }
  return Array.isArray(results) ? results.map(change) : change(results)
}

/** The number of blocks in a query of logs, or 0 for any other request. */
function blocksIn(request: Request | undefined): number {
  if (request?.method !== 'eth_getLogs') return 0
  const { fromBlock, toBlock } = Object(request.params[0])
  return Number(toBlock) - Number(fromBlock) + 1
}

type Bad = Exclude<Fault, PassedOn | { kind: 'none' }>['kind']

function respondBadly(response: ServerResponse, kind: Bad, target: string): void {
  const json = { 'content-type': 'application/json' }
  if (kind === 'trickle') response.writeHead(200, json).write('[')
  if (kind === 'garbage')
    response.writeHead(200, json).end('{"jsonrpc":"2.0","id":1,"result":{"never":"this"}}')
  if (kind === 'html')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>')
  if (kind === 'huge') response.writeHead(200, json).end(`["${'x'.repeat(10_000_000)}"]`)
  if (kind === 'redirect') response.writeHead(307, { location: target }).end()
  if (kind === 'error') response.writeHead(500, json).end('{"error":"rate limit"}')
}
