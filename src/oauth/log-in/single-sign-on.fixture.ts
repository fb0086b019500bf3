// A browser that goes to an identity provider from an authorization, and comes back.
import assert from 'node:assert/strict'
import type { Form } from '../../../test/support/browser.ts'
import type { TestService } from '../../../test/support/service.ts'
import type { Seen, TestClient, Visitor } from '../consent/consent.fixture.ts'

type Going = { client: TestClient; asked?: Record<string, string>; form?: Form }

export function pathOf(registrar: TestService, url: string | null): string {
  const { pathname, search } = new URL(url ?? '', registrar.url)
  return pathname + search
}

/**
 * The path of the callback to which the provider sends the browser. `form` is that of an open page.
 */
export async function ssoAgreed(
  registrar: TestService,
  visitor: Visitor,
  { client, asked = {}, form }: Going,
): Promise<string> {
  const open = form ?? (await visitor.page(client.url(asked))).form
  const started = await visitor.press(open, 'sso:acme')
  assert.equal(started.status, 303, started.text)
  const back = await fetch(started.location ?? '', { redirect: 'manual' })
  return pathOf(registrar, back.headers.get('location'))
}

/** Returns to the page of the interaction. */
export async function ssoReturn(
  registrar: TestService,
  visitor: Visitor,
  going: Going,
): Promise<Seen> {
  const path = await ssoAgreed(registrar, visitor, going)
  const callback = await visitor.open(path, { accept: 'text/html' })
  assert.equal(callback.status, 303, callback.text)
  assert.doesNotMatch(callback.location ?? '', /ticket/)
  const page = await visitor.open(pathOf(registrar, callback.location))
  return page.status === 303 ? visitor.open(page.location ?? '') : page
}
