// Rendered EPP commands, for tests.
import { NS } from './client.ts'

type Fee = { amount: string; currency?: string }

function fee(verb: string, { amount, currency = 'USD' }: Fee): string {
  return (
    `<fee:${verb} xmlns:fee="${NS.fee}"><fee:currency>${currency}</fee:currency>` +
    `<fee:fee>${amount}</fee:fee></fee:${verb}>`
  )
}

export const fees = {
  create: (given: Fee) => fee('create', given),
  renew: (given: Fee) => fee('renew', given),
  transfer: (given: Fee) => fee('transfer', given),
  update: (given: Fee) => fee('update', given),
  check: (...commands: string[]) =>
    `<fee:check xmlns:fee="${NS.fee}"><fee:currency>USD</fee:currency>` +
    commands.map((name) => `<fee:command name="${name}"/>`).join('') +
    '</fee:check>',
}

export const domain = {
  check: (...names: string[]) =>
    `<check><domain:check xmlns:domain="${NS.domain}">` +
    names.map((name) => `<domain:name>${name}</domain:name>`).join('') +
    '</domain:check></check>',
  info: (name: string, auth?: string) =>
    `<info><domain:info xmlns:domain="${NS.domain}"><domain:name>${name}</domain:name>` +
    `${auth === undefined ? '' : authInfo(auth)}</domain:info></info>`,
  create: (name: string, options: { years?: number; parts?: string; auth?: string } = {}) =>
    `<create><domain:create xmlns:domain="${NS.domain}"><domain:name>${name}</domain:name>` +
    `<domain:period unit="y">${options.years ?? 1}</domain:period>${options.parts ?? ''}` +
    `${authInfo(options.auth ?? 'Abc-12345')}</domain:create></create>`,
  renew: (name: string, fence: string, years = 1) =>
    `<renew><domain:renew xmlns:domain="${NS.domain}"><domain:name>${name}</domain:name>` +
    `<domain:curExpDate>${fence}</domain:curExpDate>` +
    `<domain:period unit="y">${years}</domain:period></domain:renew></renew>`,
  remove: (name: string) =>
    `<delete><domain:delete xmlns:domain="${NS.domain}"><domain:name>${name}</domain:name>` +
    '</domain:delete></delete>',
  update: (name: string, parts: string) =>
    `<update><domain:update xmlns:domain="${NS.domain}"><domain:name>${name}</domain:name>` +
    `${parts}</domain:update></update>`,
  transfer: (op: string, name: string, auth?: string) =>
    `<transfer op="${op}"><domain:transfer xmlns:domain="${NS.domain}">` +
    `<domain:name>${name}</domain:name>${auth === undefined ? '' : authInfo(auth)}` +
    '</domain:transfer></transfer>',
}

function authInfo(password: string): string {
  return `<domain:authInfo><domain:pw>${password}</domain:pw></domain:authInfo>`
}

export const poll = {
  request: '<poll op="req"/>',
  acknowledge: (id: string) => `<poll op="ack" msgID="${id}"/>`,
}

type RestoreTimes = { deleted: number; restored: number }

export function restore(op: 'request' | 'report', times?: RestoreTimes): string {
  const at = (ms: number | undefined) => new Date(ms ?? 0).toISOString()
  const report =
    '<rgp:report><rgp:preData>before</rgp:preData><rgp:postData>after</rgp:postData>' +
    `<rgp:delTime>${at(times?.deleted)}</rgp:delTime>` +
    `<rgp:resTime>${at(times?.restored)}</rgp:resTime>` +
    '<rgp:resReason>mistake</rgp:resReason>' +
    '<rgp:statement>true</rgp:statement><rgp:statement>true</rgp:statement></rgp:report>'
  return (
    `<rgp:update xmlns:rgp="${NS.rgp}"><rgp:restore op="${op}">` +
    `${op === 'report' ? report : ''}</rgp:restore></rgp:update>`
  )
}

export function contactCreate(id: string): string {
  return (
    `<create><contact:create xmlns:contact="${NS.contact}"><contact:id>${id}</contact:id>` +
    '<contact:postalInfo type="int"><contact:name>Ada Test</contact:name><contact:addr>' +
    '<contact:street>1 Road</contact:street><contact:city>Town</contact:city>' +
    '<contact:pc>12345</contact:pc><contact:cc>DE</contact:cc></contact:addr>' +
    '</contact:postalInfo><contact:voice>+49.301234567</contact:voice>' +
    '<contact:email>ada@example.net</contact:email>' +
    '<contact:authInfo><contact:pw>X9-contact</contact:pw></contact:authInfo>' +
    '</contact:create></create>'
  )
}

/** A command on one contact or host: check, info, delete. */
export function onObject(kind: 'contact' | 'host', verb: string, key: string): string {
  const field = kind === 'contact' ? 'id' : 'name'
  return (
    `<${verb}><${kind}:${verb} xmlns:${kind}="${NS[kind]}">` +
    `<${kind}:${field}>${key}</${kind}:${field}></${kind}:${verb}></${verb}>`
  )
}

export function hostCreate(name: string, address?: string): string {
  const glue = address === undefined ? '' : `<host:addr ip="v4">${address}</host:addr>`
  return (
    `<create><host:create xmlns:host="${NS.host}"><host:name>${name}</host:name>${glue}` +
    '</host:create></create>'
  )
}

/** The registrant, admin and tech contacts that a thick registry requires. */
export function people(id: string): string {
  return (
    `<domain:registrant>${id}</domain:registrant>` +
    `<domain:contact type="admin">${id}</domain:contact>` +
    `<domain:contact type="tech">${id}</domain:contact>`
  )
}
