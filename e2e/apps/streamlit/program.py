"""A program of Streamlit with a sign-in."""

import streamlit as st

if not st.user.is_logged_in:
    st.button("Sign in", on_click=st.login)
else:
    st.write(st.user.name)
    st.button("Sign out", on_click=st.logout)
