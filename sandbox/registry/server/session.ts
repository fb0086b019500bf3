// EPP session of one connection: answers frames one at a time and in order, and injects faults.
import type { TLSSocket } from 'node:tls'
import { isByzantine } from '../../support/byzantine-answers.ts'
import { DEFAULT_DELAY_MS } from '../../support/fault-injection.ts'
import { type Command, readCommand } from '../commands/command.ts'
import type { Call } from '../commands/command-context.ts'
import { falsifyReply } from '../faults/byzantine-reply.ts'
import type { Fault } from '../faults/epp-faults.ts'
import { FALSE_REPLIES, falseReply, SPOILERS } from '../faults/false-reply.ts'
import { settleDue } from '../model/lifecycle.ts'
import { Refused, type Reply, renderReply } from '../protocol/reply.ts'
import { type Element, parseXml, XmlError } from '../protocol/xml.ts'
import { encodeFrame, FrameError, FrameReader } from './epp-frame.ts'
import { login, renderGreeting } from './login.ts'
import type { RegistryState } from './registry-state.ts'

const MAX_FAILED_LOGINS = 3
const decoder = new TextDecoder('utf-8', { fatal: true })

export class Session {
  readonly #state: RegistryState
  readonly #socket: TLSSocket
  readonly #certificate: string
  readonly #reader = new FrameReader()
  #registrar: string | null = null
  #services = new Set<string>()
  #failed_logins = 0
  #waiting = false
  #ending = false
  #spoil = (xml: string) => xml

  /** `certificate` is the common name of the client's certificate. */
  constructor(state: RegistryState, socket: TLSSocket, certificate: string) {
    this.#state = state
    this.#socket = socket
    this.#certificate = certificate
    state.effectLog.opened()
    socket.setNoDelay(true)
    socket.setTimeout(state.registry.settings.idle_ms, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk)
      this.#drain()
    })
    // A reset by the client is an ordinary end of a session; 'close' follows and counts it.
    socket.on('error', () => socket.destroy())
    const logOut = (registrar: string) => {
      if (this.#registrar === registrar) this.#leave()
    }
    state.logOuts.add(logOut)
    socket.on('close', () => {
      state.logOuts.delete(logOut)
      this.#closed()
    })
    this.#send(renderGreeting(state.registry))
  }

  #closed(): void {
    this.#state.effectLog.closed(this.#reader.cut && !this.#ending)
    this.#ending = true
    this.#leave()
  }

  #leave(): void {
    if (this.#registrar !== null) this.#state.leave(this.#registrar)
    this.#registrar = null
  }

  #drain(): void {
    while (!this.#waiting && !this.#ending) {
      try {
        const frame = this.#reader.next()
        if (frame === null) return
        this.#frame(frame)
      } catch (error) {
        if (!(error instanceof FrameError)) throw error
        this.#state.effectLog.refusedFrame()
        this.#close()
      }
    }
  }

  #frame(bytes: Buffer): void {
    const { effectLog, faults, registry } = this.#state
    effectLog.frame()
    const sv_trid = this.#state.nextTrid()
    const root = parse(bytes)
    if (typeof root === 'string') {
      effectLog.received('unknown')
      effectLog.answered('unknown', 2001)
      this.#send(renderReply({ code: 2001, reason: root }, null, sv_trid))
      return
    }
    const command = readCommand(root)
    effectLog.received(command.key)
    if (this.#isReused(command)) {
      effectLog.answered(command.key, 0)
      this.#close()
      return
    }
    const fault = faults.take({
      registry: registry.profile.name,
      command: command.key,
      objects: command.objects,
      registrar: this.#registrar ?? this.#certificate,
    })
    if (fault === null) this.#answer(command, sv_trid, this.#apply(command, sv_trid))
    else this.#break(fault, command, sv_trid)
  }

  #isReused(command: Command): boolean {
    if (!this.#state.registry.settings.refuse_reused_cl_trid) return false
    return command.cl_trid !== null && this.#state.seen.check(this.#certificate, command.cl_trid)
  }

  /** Runs a command and commits it. Without `lasting`, it runs only for its reply. */
  #apply(command: Command, sv_trid: string, lasting = true): Reply {
    const { registry, effectLog } = this.#state
    try {
      settleDue(registry)
      const reply = this.#run(command, sv_trid)
      if (!lasting) registry.store.rollback()
      else if (registry.store.commit()) effectLog.applied(command.key)
      return reply
    } catch (error) {
      registry.store.rollback()
      if (!(error instanceof Refused)) {
        this.#state.report(error)
        return { code: 2400, reason: 'an error inside the simulated registry' }
      }
      return { code: error.code, reason: error.message, closes: error.closes }
    }
  }

  #run(command: Command, sv_trid: string): Reply {
    if (command.refused !== null) throw command.refused
    if (command.key === 'hello') return { code: 1000, greeting: true }
    if (command.key === 'login') return this.#login(command)
    const registrar = this.#registrar
    if (registrar === null) throw new Refused(2002, 'log in first')
    if (command.key === 'logout') return { code: 1500, closes: true }
    if (command.handle === null) throw new Refused(2101, `${command.key} is not offered`)
    if (command.object_ns !== null) this.#requireService(command.object_ns, 2307)
    for (const uri of command.extensions.keys()) this.#requireService(uri, 2002)
    const call: Call = {
      registry: this.#state.registry,
      registrar,
      services: this.#services,
      body: command.body,
      op: command.op,
      extensions: command.extensions,
      cl_trid: command.cl_trid,
      sv_trid,
      now: this.#state.registry.clock.now(),
    }
    return command.handle(call)
  }

  #requireService(uri: string, code: number): void {
    if (!this.#services.has(uri)) throw new Refused(code, `the login did not name ${uri}`)
  }

  #login(command: Command): Reply {
    if (this.#registrar !== null) throw new Refused(2002, 'already logged in')
    try {
      const { registrar, services } = login(this.#state.registry, command, this.#certificate)
      if (!this.#state.enter(registrar)) throw new Refused(2502, 'too many sessions', true)
      this.#registrar = registrar
      this.#services = services
      return { code: 1000 }
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 2200) throw error
      this.#failed_logins += 1
      if (this.#failed_logins < MAX_FAILED_LOGINS) throw error
      throw new Refused(2501, error.message, true)
    }
  }

  #break(fault: Fault, command: Command, sv_trid: string): void {
    this.#state.effectLog.fault(fault.name)
    const delay_ms = fault.delay_ms ?? DEFAULT_DELAY_MS
    const { name } = fault
    if (isByzantine(name)) {
      const reply = this.#apply(command, sv_trid, name !== 'name_not_done')
      this.#answer(command, sv_trid, falsifyReply(reply, name, this.#state.registry.clock.now()))
      return
    }
    switch (name) {
      case 'fail_2400':
      case 'credit_gone':
      case 'refuse_2306':
      case 'session_limit':
        this.#answer(command, sv_trid, FALSE_REPLIES[name])
        break
      case 'log_out':
        for (const logOut of this.#state.logOuts) logOut(this.#registrar ?? '')
        this.#answer(command, sv_trid, { code: 2002, reason: 'log in first' })
        break
      case 'answer':
        this.#answer(command, sv_trid, falseReply(fault))
        break
      case 'drop_before':
        this.#silence(command)
        break
      case 'apply_later':
        if (command.key !== 'login') this.#applyLater(delay_ms, command, sv_trid)
        this.#silence(command)
        break
      case 'drop_after':
        this.#apply(command, sv_trid)
        this.#silence(command)
        break
      case 'slow':
        this.#answerLater(delay_ms, command, sv_trid)
        break
      case 'garbage':
        this.#apply(command, sv_trid)
        this.#state.effectLog.answered(command.key, 0)
        this.#send('\u0001<<< not XML >>>')
        break
      case 'strange_text':
      case 'unclosed':
        this.#spoil = SPOILERS[name]
        this.#answer(command, sv_trid, this.#apply(command, sv_trid))
        this.#spoil = (xml) => xml
        break
      case 'half_frame':
        this.#answerHalf(command, sv_trid)
    }
  }

  #answerLater(delay_ms: number, command: Command, sv_trid: string): void {
    const reply = this.#apply(command, sv_trid)
    this.#waiting = true
    this.#state.delays.after(delay_ms, () => {
      this.#waiting = false
      this.#answer(command, sv_trid, reply)
      this.#drain()
    })
  }

  #answerHalf(command: Command, sv_trid: string): void {
    const reply = this.#apply(command, sv_trid)
    const frame = encodeFrame(renderReply(reply, command.cl_trid, sv_trid))
    this.#state.effectLog.answered(command.key, 0)
    this.#ending = true
    this.#socket.end(frame.subarray(0, Math.floor(frame.length / 2)))
  }

  /** Applies the command after the session has ended, on behalf of its registrar. */
  #applyLater(delay_ms: number, command: Command, sv_trid: string): void {
    const registrar = this.#registrar
    this.#state.delays.after(delay_ms, () => {
      this.#registrar = registrar
      this.#apply(command, sv_trid)
      this.#registrar = null
    })
  }

  #silence(command: Command): void {
    this.#state.effectLog.answered(command.key, 0)
    this.#close()
  }

  #answer(command: Command, sv_trid: string, reply: Reply): void {
    if (this.#socket.destroyed) return
    this.#state.effectLog.answered(command.key, reply.code)
    const { registry } = this.#state
    const greeting = reply.greeting === true
    const text = greeting ? renderGreeting(registry) : renderReply(reply, command.cl_trid, sv_trid)
    this.#send(this.#spoil(text))
    if (reply.closes !== true) return
    this.#ending = true
    this.#socket.end()
  }

  #send(text: string): void {
    this.#socket.write(encodeFrame(text))
  }

  #close(): void {
    this.#ending = true
    this.#socket.destroy()
  }
}

function parse(bytes: Buffer): Element | string {
  try {
    return parseXml(decoder.decode(bytes))
  } catch (error) {
    if (error instanceof XmlError) return error.message
    if (error instanceof TypeError) return 'not UTF-8'
    throw error
  }
}
