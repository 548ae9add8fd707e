import { mount } from 'svelte';
import App from './app/App.svelte';
import './shared/style/tokens.css';
import './shared/style/base.css';

const target = document.getElementById('app');
if (target) mount(App, { target });
