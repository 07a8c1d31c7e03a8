/** How users sign in, and what several people share. */
import type { Topic } from './topic.ts';

export const accounts: readonly Topic[] = [
  {
    id: 'single-sign-on',
    title: 'Single sign-on',
    meaning: [
      '*Sign in with* leads to the identity provider of your institution and back to the page you wanted. Your password never reaches this server.',
      'An account made this way is tied to your identity at the provider, not to a name or an e-mail address: your name here follows the provider’s, and an account on this server with the same name is somebody else’s until its owner links it.',
      'A session ends after the number of hours that the operator chose (12 by default); the provider is then asked whether you still have access. Signing out ends the session at the provider too, where it allows that.',
    ],
    advice: [
      'You already have an account with a password: sign in with it and choose *Account*, *Link account*. From then on you can sign in either way.',
      'The provider knows you but this server refuses you: an administrator has to add you to one of the groups that may use this server.',
      'The provider is unavailable: the sign-in page says so and tries again every few seconds. Administrators sign in with `ergodic token`.',
    ],
  },
  {
    id: 'teams',
    title: 'Teams',
    meaning: [
      'Every member can see, change, run, share and delete what a team owns, as an owner can. A run of a team’s workflow belongs to the team, and each member is notified when it ends.',
      'Some teams are groups of the identity provider: their members are updated at each sign-in. Others are made by an administrator on the *Account* page.',
      'A member who leaves loses access at once. Their own workflows that use models or data of the team no longer start.',
    ],
    advice: [
      'Move objects to a team: *Move to team…* in the menu of a row, or the button above selected rows. Shares move with them, and a project takes its members with it. The model and the data of a workflow are moved separately; the workflow does not start until they are moved too.',
      'To see what a team owns, use *Filter*, *Team* in a list.',
      'Runs can be moved once they have ended. What an event or callback is bound to does not move.',
    ],
  },
  {
    id: 'turns',
    title: 'Whose turn it is',
    meaning: [
      'A free core goes to the person or team with the fewest running chains, so a short run does not wait behind somebody else’s thousand. What a team gets is divided among its members in the same way. Programs in Python, R, Julia and JAGS take turns too, each counting as one chain.',
      'Your own runs are ordered by `priority` under `sampling` (-10 to 10), then by arrival. A priority below 0 lets everybody else go first.',
      'Administrators can give a person or a team more weight (twice the weight, twice as many running chains) or limit the number of chains that run at once. What you start for a team counts towards your own limit too.',
    ],
    advice: [
      '*Queue* shows what is running and waiting, and on which machines. For other people’s runs it shows only their number and progress.',
      'A core is free but your run waits: you or the team have reached a limit, or the run asks for a machine (`run_on`) that is busy. Ask an administrator, who sees the limits on that page.',
    ],
  },
];
