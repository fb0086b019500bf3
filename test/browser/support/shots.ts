// Pictures of pages for a person to look at: with SHOTS=DIR, in both themes and at two widths.
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

const shots = process.env.SHOTS

export async function shot(page: Page, name: string) {
  if (!shots) return
  mkdirSync(shots, { recursive: true })
  for (const theme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 820 })
      await page.emulateMedia({ colorScheme: theme })
      await page.waitForTimeout(150)
      await page.screenshot({ path: `${shots}/${name}-${theme}-${width}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
