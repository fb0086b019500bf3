// The dashboard of a service in a real Chromium, for a visitor and for an owner who is logged in.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { buildIfStale } from '../../../dashboard/build.ts'
import { openChromium } from '../../support/chromium.ts'
import type { TestService } from '../../support/service.ts'
import { ours } from '../../support/sign-in.ts'
import { browserOf, newPage, openPath, type View } from './dashboard.ts'

type Login = { email: string; password: string }
type Place = { path: string; heading: string; view?: View }
type State = Awaited<ReturnType<BrowserContext['storageState']>>

const wide: View = { width: 1440, theme: 'light' }

/** One browser for the file; each page has cookies of its own, and is closed after its test. */
export async function openDashboard(registrar: TestService) {
  await buildIfStale()
  const chromium = await openChromium()
  // Pages of a sandbox have one origin.
  const origin = `http://localhost:${new URL(registrar.url).port}`
  const site = `${origin}/dashboard`
  const states = new Map<string, Promise<State>>()

  const newContext = async (view: View, storageState?: State) => {
    assert.ok(chromium)
    const context = await chromium.person({
      ...browserOf(view),
      ...(storageState && { storageState }),
    })
    after(() => context.close())
    return context
  }

  /** By a request of the browser; the log-in page has tests of its own. */
  const logIn = async (data: Login) => {
    const context = await newContext(wide)
    const answer = await context.request.post(`${origin}/v1/dashboard/login`, {
      data,
      headers: { ...ours, origin },
    })
    assert.equal(answer.status(), 200, await answer.text())
    return await context.storageState()
  }

  return {
    site,
    newVisitor: async (view: View = wide): Promise<Page> => newPage(await newContext(view)),
    /** A page of the owner's, who logs in once for the file. */
    async openAs(owner: Login, { path, heading, view = wide }: Place): Promise<Page> {
      const { email, password } = owner
      const state = states.get(email) ?? logIn({ email, password })
      states.set(email, state)
      const page = await newPage(await newContext(view, await state))
      await openPath(page, site + path, heading)
      return page
    },
  }
}
